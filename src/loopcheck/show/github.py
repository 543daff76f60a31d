"""Annotations for GitHub Actions: workflow commands, one line for each entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from loopcheck.finding import Report, Span
from loopcheck.printable import printable
from loopcheck.show.entry import ERROR, Entry, entries

_LEVELS = {ERROR: "error", "bug": "error", "advice": "warning"}


Row: TypeAlias = Callable[[Span], int]
"""The row of a notebook's file on which a row of a cell is written."""


def show(reports: Iterable[Report], row: Row) -> str:
    """One workflow command for every entry of every report."""
    return "\n".join(_command(entry, row) for report in reports for entry in entries(report))


def _command(entry: Entry, row: Row) -> str:
    span = entry.primary
    title = f"loopcheck {entry.code} {entry.name}"
    place: dict[str, object] = {"line": span.row, "col": span.column, "endLine": span.end_row, "endColumn": span.end_column}
    if span.cell:
        title += f" (cell {span.cell}, row {span.row})"
        place = {"line": row(span)}
    properties = {"file": span.path, **place, "title": title}
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    message = f"{entry.message} ({entry.away})" if entry.away else entry.message
    return f"::{_LEVELS.get(entry.severity, 'notice')} {told}::{_data(message)}"


def _data(text: str) -> str:
    return printable(text, kept="\r\n").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
