"""GitLab's code quality report: a JSON list, each entry with a fingerprint that outlives moved lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from loopcheck.show.details import details
from loopcheck.show.entry import ERROR, Entry
from loopcheck.show.view import View, identified

_SEVERITIES = {"error": "major", "warning": "minor", "note": "info"}


def show(view: View) -> Iterator[str]:
    """Every entry of every report, as one JSON list."""
    yield json.dumps([_issue(entry, told, view) for entry, told in identified(view.entries)], indent=2)


def _issue(entry: Entry, fingerprint: str, view: View) -> dict[str, Any]:
    span = entry.primary
    first = view.line(span)
    return {
        "description": "\n".join([f"{entry.code} {entry.name}: {entry.message}", *details(entry)]),
        "check_name": f"{entry.code} {entry.name}",
        "fingerprint": fingerprint,
        "severity": "blocker" if entry.severity == ERROR else _SEVERITIES[entry.level],
        "location": {"path": span.path, "lines": {"begin": first, "end": first + span.end_row - span.row}},
    }
