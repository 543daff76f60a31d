"""The report as a person reads it on a terminal, in the manner of a compiler.

Everything is styled here; `click.echo` takes the colours out where the output is no terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

import click

from loopcheck.finding import Report
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.printable import printable
from loopcheck.rule import Confidence
from loopcheck.show.entry import ERROR, Entry, entries
from loopcheck.show.frame import Lines, Mark, bar, faint, frames, gutter_of

_COLOURS = {ERROR: "red", "bug": "red"}
_NOUNS = {
    ERROR: ("error", "errors"),
    "bug": ("bug", "bugs"),
    "advice": ("piece of advice", "pieces of advice"),
    "speed": ("loss of speed", "losses of speed"),
    "pedantic": ("remark", "remarks"),
}
_WAYS = {
    SAFE: "safe: run with --fix",
    UNSAFE: "changes the result: look at it with --unsafe-fixes --diff",
}


def show(reports: Sequence[Report], lines: Lines, shown: Set[Entry] = frozenset(), left: int = 0) -> Iterator[str]:
    """Each entry as a block, then one line that says what was looked at and what was found.

    shown: what the reader has seen before. left: files that were to be judged when the run was interrupted.
    """
    for report in reports:
        for entry in entries(report):
            if entry not in shown:
                yield block(entry, lines) + "\n"
    yield summary(reports) + (f" Interrupted: {_count(left, 'file was', 'files were')} not judged." if left else "")


def block(entry: Entry, lines: Lines) -> str:
    """One entry: headline, code frames, why, and what to do."""
    colour = _COLOURS.get(entry.severity, "yellow")
    marks = [Mark(entry.primary, primary=True), *(Mark(note.span, note.text) for note in entry.related)]
    gutter = gutter_of(marks)
    remarks = [_remark(gutter, *remark) for remark in _remarks(entry)]
    rule_off = [bar(gutter)] if remarks else []
    return "\n".join([_headline(entry, colour), *frames(marks, lines, colour), *rule_off, *remarks])


def summary(reports: Sequence[Report]) -> str:
    """`Found 3 bugs in 2 of 14 files (12 checked, 2 without training code). 2 can be fixed with --fix.`"""
    found = [entries(report) for report in reports]
    everything = [entry for several in found for entry in several]
    by_severity = Counter(entry.severity for entry in everything)
    told = [_count(by_severity[severity], *_NOUNS[severity]) for severity in _NOUNS if by_severity[severity]]
    files = _count(len(reports), "file", "files")
    if told:
        head = f"Found {_list(told)} in {sum(map(bool, found))} of {files}"
    else:
        head = f"Found nothing in {files}"
    return f"{head} ({_looked_at(reports)}).{_fixable(everything)}"


def statistics(reports: Sequence[Report]) -> str:
    """How often each rule was found, the most frequent first, and the line that says what was looked at."""
    found = Counter((entry.severity, entry.code, entry.name) for report in reports for entry in entries(report))
    width = max((len(str(count)) for count in found.values()), default=0)
    rows = [f"{count:>{width}}  {code}  {name} ({kind})" for (kind, code, name), count in sorted(found.items(), key=_most)]
    return "\n".join([*rows, *([""] if rows else []), summary(reports)])


def _most(counted: tuple[tuple[str, str, str], int]) -> tuple[int, str]:
    (_, code, _), count = counted
    return -count, code


def _headline(entry: Entry, colour: str) -> str:
    kind = click.style(f"{entry.severity}[{entry.code}]", fg=colour, bold=True)
    return kind + click.style(f" {entry.name}: {printable(entry.message)}", bold=True)


def _remark(gutter: int, word: str, text: str) -> str:
    return f"{' ' * gutter} {faint('=')} {click.style(f'{word}:', bold=True)} {printable(text)}"


def _remarks(entry: Entry) -> Iterator[tuple[str, str]]:
    if entry.away:
        yield "place", entry.away
    if entry.title:
        yield "why", entry.title
    if entry.confidence < Confidence.HIGH:
        yield "confidence", str(entry.confidence)
    if entry.repair:
        yield "fix", f"{entry.repair.message} ({_WAYS.get(entry.repair.applicability, 'by hand')})"
    if entry.by_rule:
        yield "help", f"loopcheck explain {entry.name}"


def _looked_at(reports: Sequence[Report]) -> str:
    unread = sum(any(entry.severity == ERROR for entry in entries(report)) for report in reports)
    skipped = sum(report.skipped is not None for report in reports)
    parts = [f"{len(reports) - skipped - unread} checked"]
    parts += [f"{skipped} without training code"] if skipped else []
    parts += [f"{unread} could not be analysed"] if unread else []
    parts += [f"{partly} not decided in full"] if (partly := sum(report.partial for report in reports)) else []
    return ", ".join(parts)


def _fixable(everything: Sequence[Entry]) -> str:
    ways = Counter(entry.repair.applicability for entry in everything if entry.repair)
    if ways[SAFE]:
        more = f", {ways[UNSAFE]} more with --unsafe-fixes" if ways[UNSAFE] else ""
        return f" {ways[SAFE]} fixable with --fix{more}."
    return f" {ways[UNSAFE]} fixable with --unsafe-fixes." if ways[UNSAFE] else ""


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _list(parts: Sequence[str]) -> str:
    *rest, last = parts
    return f"{', '.join(rest)} and {last}" if rest else last
