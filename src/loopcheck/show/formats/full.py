"""For a person at a terminal: each entry as a block with its code, then one line that says what was looked at and found."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.show.text import block, conclusion
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """What the reader has not seen yet, and the summary."""
    for entry in view.entries:
        if entry not in view.shown:
            yield block(entry, view.lines, view.links) + "\n"
    yield conclusion(view)
