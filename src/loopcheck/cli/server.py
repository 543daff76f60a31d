"""`loopcheck server`: an editor's language server."""

from __future__ import annotations

import click

from loopcheck.misuse import Misuse


@click.command(name="server")
def command() -> None:
    """Serve an editor by the Language Server Protocol, over standard input and output.

    Needs pygls, which the extra `lsp` brings. docs/editors.md says how editors are told of it.
    """
    try:
        from loopcheck.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Misuse("an editor is served with pygls: pip install 'loopcheck[lsp]'") from None
    serve().start_io()
