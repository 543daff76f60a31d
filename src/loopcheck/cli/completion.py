"""`loopcheck completion SHELL`: what completes words in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from loopcheck import cli

VARIABLE = "_LOOPCHECK_COMPLETE"


@click.command(name="completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a script that completes commands, options and rules' names, for SHELL to read when it starts."""
    completion = get_completion_class(shell)
    assert completion
    click.echo(completion(cli.program, {}, "loopcheck", VARIABLE).source())
