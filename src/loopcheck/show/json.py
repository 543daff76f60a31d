"""JSON: a list of objects in the shape that ruff's readers know, with what loopcheck has to add."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from loopcheck.finding import Note, Repair, Report, Span, TextEdit
from loopcheck.rule import Rule
from loopcheck.show.entry import Entry, entries


def show(reports: Iterable[Report]) -> str:
    """Every entry of every report, as one JSON list."""
    return json.dumps([_entry(entry) for report in reports for entry in entries(report)], indent=2)


def catalogue(rules: Iterable[Rule]) -> str:
    """The rules, as one JSON list."""
    return json.dumps([_rule(rule) for rule in rules], indent=2)


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "group": rule.group,
        "severity": rule.group,
        "fix": rule.fix.applicability if rule.fix else None,
        "summary": rule.title,
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "code": entry.code,
        "name": entry.name,
        "severity": entry.severity,
        "confidence": str(entry.confidence),
        "message": entry.message,
        "filename": entry.primary.path,
        **_place(entry.primary),
        "related": [_note(note) for note in entry.related],
        "fix": _fix(entry.repair) if entry.repair else None,
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
