"""Annotations for GitHub Actions: workflow commands, one line for each entry.

GitHub shows the first ten of each level for a step, so the gravest come first.
"""

from __future__ import annotations

from collections.abc import Iterator

from loopcheck.printable import printable
from loopcheck.show.details import details
from loopcheck.show.entry import Entry
from loopcheck.show.view import View

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def show(view: View) -> Iterator[str]:
    """One workflow command for every entry of every report."""
    for entry in sorted(view.entries, key=lambda entry: [*_COMMANDS].index(entry.level)):
        yield _command(entry, view)


def _command(entry: Entry, view: View) -> str:
    span = entry.primary
    title = f"loopcheck {entry.code} {entry.name}"
    place: dict[str, object] = {"line": span.row, "col": span.column, "endLine": span.end_row, "endColumn": span.end_column}
    if span.cell:
        title += f" (cell {span.cell}, row {span.row})"
        place = {"line": view.line(span)}
    properties = {"file": span.path, **place, "title": title}
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = "\n".join([entry.message, *details(entry)])
    return f"::{_COMMANDS[entry.level]} {told}::{_data(message)}"


def _data(text: str) -> str:
    return printable(text, kept="\r\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
