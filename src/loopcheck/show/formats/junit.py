"""JUnit's XML, which CI servers show as tests: a suite for each file, a failed case for each entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from loopcheck.finding import Report
from loopcheck.printable import printable
from loopcheck.show.details import details
from loopcheck.show.entry import ERROR, Entry, entries
from loopcheck.show.frame import place
from loopcheck.show.view import View


def show(view: View) -> Iterator[str]:
    """One document for the run."""
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield f'<testsuites name="loopcheck"{_counts(view.entries, sum(max(1, len(entries(report))) for report in view.reports))}>'
    for report in view.reports:
        yield from _suite(report)
    yield "</testsuites>"


def _suite(report: Report) -> Iterator[str]:
    found = entries(report)
    name = _attribute(report.path)
    yield f"  <testsuite name={name}{_counts(found, max(1, len(found)))}>"
    if not found:
        yield f'    <testcase name="loopcheck" classname={name}/>'
    for entry in found:
        kind = "error" if entry.severity == ERROR else "failure"
        yield f"    <testcase name={_attribute(f'{entry.code} {entry.name} at {place(entry.primary)}')} classname={name}>"
        told = f"type={_attribute(entry.severity)} message={_attribute(entry.message)}"
        yield f"      <{kind} {told}>{_text(details(entry))}</{kind}>"
        yield "    </testcase>"
    yield "  </testsuite>"


def _counts(found: Sequence[Entry], tests: int) -> str:
    errors = sum(entry.severity == ERROR for entry in found)
    return f' tests="{tests}" failures="{len(found) - errors}" errors="{errors}"'


def _attribute(text: str) -> str:
    return quoteattr(printable(text))


def _text(lines: Iterator[str]) -> str:
    return escape("\n".join(map(printable, lines)))
