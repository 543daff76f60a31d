"""JSON: a list of objects in the shape that ruff's readers know, with what loopcheck has to add."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from loopcheck.finding import Note, Repair, Span, TextEdit
from loopcheck.show.entry import Entry
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """Every entry of every report, as one JSON list."""
    yield json.dumps([item(entry) for entry in view.entries], indent=2)


def item(entry: Entry) -> dict[str, Any]:
    """An entry as an object. related: the other places, from top to bottom; witness: all events in the order of the story."""
    return {
        "code": entry.code,
        "name": entry.name,
        "severity": entry.severity,
        "confidence": str(entry.confidence),
        "confidence_reason": entry.because,
        "run": entry.run or None,
        "message": entry.message,
        "summary": entry.title,
        "filename": entry.primary.path,
        **_place(entry.primary),
        "related": [_note(note) for note in entry.related],
        "witness": [_note(note) for note in entry.witness],
        "elsewhere": entry.away or None,
        "fix": _fix(entry.repair) if entry.repair else None,
        "no_fix_reason": entry.unmended or None,
        "fingerprint": entry.fingerprint,
        "noqa_row": entry.primary.row,
        "url": None,
    }


def _place(span: Span) -> dict[str, Any]:
    return {
        "location": {"row": span.row, "column": span.column},
        "end_location": {"row": span.end_row, "column": span.end_column},
        "cell": span.cell or None,
    }


def _note(note: Note) -> dict[str, Any]:
    return {"message": note.text, "filename": note.span.path, **_place(note.span)}


def _fix(repair: Repair) -> dict[str, Any]:
    return {
        "applicability": repair.applicability,
        "message": repair.message,
        "edits": [_edit(edit) for edit in repair.edits],
    }


def _edit(edit: TextEdit) -> dict[str, Any]:
    return {"content": edit.content, "filename": edit.span.path, **_place(edit.span)}
