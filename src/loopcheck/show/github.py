"""Annotations for GitHub Actions: workflow commands, one line for each entry."""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.finding import Report
from loopcheck.show.entry import ERROR, Entry, entries

_LEVELS = {ERROR: "error", "bug": "error", "advice": "warning"}


def show(reports: Iterable[Report]) -> str:
    """One workflow command for every entry of every report."""
    return "\n".join(_command(entry) for report in reports for entry in entries(report))


def _command(entry: Entry) -> str:
    span = entry.primary
    properties = {
        "file": span.path,
        "line": span.row,
        "col": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
        "title": f"loopcheck {entry.code} {entry.name}",
    }
    told = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{_LEVELS.get(entry.severity, 'notice')} {told}::{_data(entry.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
