"""Pylint's format, which many CI servers can read: one line for each entry."""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.printable import printable
from loopcheck.show.details import in_one
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """`train.py:27: [LC101] clip-after-step: …`."""
    for entry in view.entries:
        path = printable(entry.primary.path)
        yield f"{path}:{view.line(entry.primary)}: [{entry.code}] {entry.name}: {in_one(entry)}"
