"""Reviewdog's JSON. Its columns count bytes of UTF-8, and it has no place for other spans: they are told in the message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from loopcheck.finding import Span, TextEdit
from loopcheck.show.details import details
from loopcheck.show.entry import Entry
from loopcheck.show.view import View

_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "note": "INFO"}


def show(view: View) -> Iterator[str]:
    """Every entry of every report, as one diagnostic result."""
    found = [_diagnostic(entry, view) for entry in view.entries]
    yield json.dumps({"source": {"name": "loopcheck"}, "diagnostics": found}, indent=2)


def _diagnostic(entry: Entry, view: View) -> dict[str, Any]:
    edits = entry.repair.edits if entry.repair else ()
    here = [edit for edit in edits if edit.span.path == entry.primary.path and not edit.span.cell]
    return {
        "message": "\n".join([entry.message, *details(entry)]),
        "location": {"path": entry.primary.path, "range": _range(entry.primary, view)},
        "severity": _SEVERITIES[entry.level],
        "code": {"value": f"{entry.code} {entry.name}"},
        "suggestions": [_suggestion(edit, view) for edit in here],
    }


def _suggestion(edit: TextEdit, view: View) -> dict[str, Any]:
    return {"range": _range(edit.span, view), "text": edit.content}


def _range(span: Span, view: View) -> dict[str, Any]:
    if span.cell:
        return {"start": {"line": view.line(span)}}
    return {"start": _position(span, span.row, span.column, view), "end": _position(span, span.end_row, span.end_column, view)}


def _position(span: Span, row: int, column: int, view: View) -> dict[str, int]:
    lines = view.lines(span)
    before = lines[row - 1][: column - 1] if row <= len(lines) else ""
    missing = column - 1 - len(before)
    return {"line": row, "column": len(before.encode(errors="surrogatepass")) + missing + 1}
