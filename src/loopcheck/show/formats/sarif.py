"""SARIF 2.1.0, for GitHub's code scanning and others: every span, the order of events, repairs, and what is silenced and why."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Any, TypeAlias
from urllib.parse import quote

import loopcheck
from loopcheck.finding import Note, Repair, Silenced, Span, TextEdit
from loopcheck.fix import DISPLAY
from loopcheck.rule import Rule
from loopcheck.show.details import details
from loopcheck.show.entry import ERROR, Entry, level_of, silenced
from loopcheck.show.page import markdown
from loopcheck.show.view import View, identified

Object: TypeAlias = dict[str, Any]
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_TEXT = 1024
"""Characters of a rule's descriptions that GitHub takes."""
_PROBLEMS = {"error": "error", "warning": "warning", "note": "recommendation"}


def show(view: View) -> Iterator[str]:
    """The run as one log."""
    yield json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(view)]}, indent=2)


def _run(view: View) -> Object:
    failed = [entry for entry in view.entries if entry.severity == ERROR]
    kept = {entry: each for report in view.reports for entry, each in silenced(report)}
    found = [entry for entry in view.entries if entry.severity != ERROR]
    return {
        "tool": {
            "driver": {
                "name": "loopcheck",
                "semanticVersion": loopcheck.__version__,
                "rules": [*map(_rule, view.rules), *_others(found, view.rules)],
            }
        },
        "automationDetails": {"id": "loopcheck/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not failed and not view.left,
                "toolExecutionNotifications": [_notification(entry, view) for entry in failed],
            }
        ],
        "results": [_result(entry, told, kept.get(entry), view) for entry, told in identified([*found, *kept])],
    }


def _rule(rule: Rule) -> Object:
    level = level_of(rule.group)
    page = markdown(rule)
    told = f"{rule.title} `loopcheck explain {rule.name}` says why it matters and how it is mended."
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.title[:MOST_TEXT] or rule.name},
        "fullDescription": {"text": rule.title[:MOST_TEXT] or rule.name},
        "help": {"text": told, "markdown": page or told},
        "defaultConfiguration": {"level": level},
        "properties": {"precision": "high", "problem.severity": _PROBLEMS[level], "tags": ["pytorch", rule.group]},
    }


def _others(found: Sequence[Entry], rules: Sequence[Rule]) -> Iterator[Object]:
    """What is reported without being a rule's finding."""
    known = {rule.code for rule in rules}
    for code, entry in {entry.code: entry for entry in found if entry.code not in known}.items():
        text = entry.title or entry.name
        yield {"id": code, "name": entry.name, "shortDescription": {"text": text}, "fullDescription": {"text": text}}


def _result(entry: Entry, fingerprint: str, kept: Silenced | None, view: View) -> Object:
    related = [_location(note.span, view) | {"id": number, "message": {"text": note.text}} for number, note in _numbered(entry)]
    return {
        "ruleId": entry.code,
        "level": entry.level,
        "message": {"text": _message(entry)},
        "locations": [_location(entry.primary, view)],
        "relatedLocations": related,
        "codeFlows": _flows(entry, view),
        "fixes": [_fix(entry.repair)] if entry.repair and _expressible(entry.repair) else [],
        "partialFingerprints": {"loopcheck/v1": fingerprint, "primaryLocationLineHash": f"{fingerprint[:16]}:1"},
        "suppressions": [_suppression(kept, view)] if kept else [],
        "properties": {
            "name": entry.name,
            "confidence": str(entry.confidence),
            "confidenceReason": entry.because,
            "details": [*details(entry)],
        },
    }


def _numbered(entry: Entry) -> Iterator[tuple[int, Note]]:
    yield from enumerate(entry.related, 1)


def _message(entry: Entry) -> str:
    """The message, with links to the other places: only what a text links to is shown."""
    sentence = _text(entry.message) + (f" ({_text(entry.away)})" if entry.away else "")
    links = ", ".join(f"[{_text(note.text)}]({number})" for number, note in _numbered(entry))
    return f"{sentence}. See {links}." if links else f"{sentence}."


def _text(text: str) -> str:
    """Text in a message that may hold links, without one."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _flows(entry: Entry, view: View) -> list[Object]:
    """The story of the events, in their order."""
    steps = [
        {
            "location": _location(note.span, view) | {"message": {"text": note.text}},
            "executionOrder": number,
            "importance": "essential" if note.span == entry.primary else "important",
        }
        for number, note in enumerate(entry.witness, 1)
    ]
    return [{"threadFlows": [{"locations": steps}]}] if len(steps) > 1 else []


def _suppression(kept: Silenced, view: View) -> Object:
    told: Object = {"kind": "inSource" if kept.by else "external", "status": "accepted", "justification": kept.reason}
    return told | ({"location": _location(kept.by, view)} if kept.by else {})


def _notification(entry: Entry, view: View) -> Object:
    return {
        "level": "error",
        "message": {"text": entry.message},
        "descriptor": {"id": entry.name},
        "locations": [_location(entry.primary, view)],
    }


def _location(span: Span, view: View) -> Object:
    region = {"startLine": view.line(span)} if span.cell else _region(span)
    return {"physicalLocation": {"artifactLocation": _artifact(span.path), "region": region}}


def _region(span: Span) -> Object:
    return {
        "startLine": span.row,
        "startColumn": span.column,
        "endLine": span.end_row,
        "endColumn": span.end_column,
    }


def _artifact(path: str) -> Object:
    """Where a file is: below the current folder relative to it."""
    full = Path(os.path.abspath(path))
    try:
        near = full.relative_to(Path.cwd())
    except ValueError:
        return {"uri": "file://" + _quoted(full)}
    return {"uri": _quoted(near), "uriBaseId": "%SRCROOT%"}


def _quoted(path: PurePath) -> str:
    return quote(path.as_posix().encode(errors="surrogateescape"))


def _expressible(repair: Repair) -> bool:
    """Whether it says what to write, in files and not in cells of a notebook."""
    return repair.applicability != DISPLAY and not any(edit.span.cell for edit in repair.edits)


def _fix(repair: Repair) -> Object:
    paths = dict.fromkeys(edit.span.path for edit in repair.edits)
    return {
        "description": {"text": f"{repair.message} ({repair.applicability})"},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path),
                "replacements": [_replacement(edit) for edit in repair.edits if edit.span.path == path],
            }
            for path in paths
        ],
    }


def _replacement(edit: TextEdit) -> Object:
    return {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}}
