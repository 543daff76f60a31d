"""Links in a terminal, for those that follow them (OSC 8): from a finding to the page of its rule, as it is installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TextIO

_TOLD_BY = ("WT_SESSION", "KONSOLE_VERSION", "KITTY_WINDOW_ID", "DOMTERM", "WEZTERM_PANE", "GHOSTTY_RESOURCES_DIR")
"""What terminals that follow links put into the environment."""
_PROGRAMS = ("iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "WarpTerminal", "zed")
_TERMS = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot")
_FIRST_VTE = 5000
"""The first version of GNOME's terminals that follows links."""


def follows(stream: TextIO) -> bool:
    """Whether what reads a stream follows links: it has told so, or FORCE_HYPERLINK does. Others would show the address raw."""
    asked = os.environ.get("FORCE_HYPERLINK", "")
    if asked:
        return asked != "0"
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    vte = os.environ.get("VTE_VERSION", "")
    return (
        any(os.environ.get(name) for name in _TOLD_BY)
        or os.environ.get("TERM_PROGRAM") in _PROGRAMS
        or os.environ.get("TERM") in _TERMS
        or (vte.isascii() and vte.isdigit() and int(vte) >= _FIRST_VTE)
    )


def linked(text: str, page: Path | None) -> str:
    """A text that leads to a page, where there is one. Its address is percent-encoded, so nothing in a path is a command."""
    if page is None or not page.is_file():
        return text
    return f"\x1b]8;;{page.absolute().as_uri()}\x1b\\{text}\x1b]8;;\x1b\\"
