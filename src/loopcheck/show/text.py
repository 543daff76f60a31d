"""The report as a person reads it on a terminal, in the manner of a compiler.

Everything is styled here; `click.echo` takes the colours out where the output is no terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from loopcheck.finding import Report
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.printable import printable
from loopcheck.show.details import headline, remarks
from loopcheck.show.entry import ERROR, Entry, entries
from loopcheck.show.frame import Lines, Mark, bar, faint, frames, gutter_of
from loopcheck.show.links import linked
from loopcheck.show.view import View

_COLOURS = {ERROR: "red", "bug": "red"}
_NOUNS = {
    ERROR: ("error", "errors"),
    "bug": ("bug", "bugs"),
    "advice": ("piece of advice", "pieces of advice"),
    "speed": ("loss of speed", "losses of speed"),
    "pedantic": ("remark", "remarks"),
}


def block(entry: Entry, lines: Lines, links: bool = False) -> str:
    """One entry: headline, code frames, why, and what to do. links: the code of its rule is one."""
    colour = _COLOURS.get(entry.severity, "yellow")
    marks = [Mark(entry.primary, primary=True), *(Mark(note.span, note.text) for note in entry.related)]
    gutter = gutter_of(marks)
    remarks = [_remark(gutter, *remark) for remark in _remarks(entry)]
    rule_off = [bar(gutter)] if remarks else []
    return "\n".join([_headline(entry, colour, links), *frames(marks, lines, colour), *rule_off, *remarks])


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
    return f"{head} ({_looked_at(reports)}).{_fixable(everything)}{_silenced(reports)}"


def conclusion(view: View) -> str:
    """The summary of a run, and whether it came to its end."""
    left = f" Interrupted: {_count(view.left, 'file was', 'files were')} not judged." if view.left else ""
    return summary(view.reports) + left


def _headline(entry: Entry, colour: str, links: bool) -> str:
    kind, rest = headline(entry).split(" ", 1)
    styled = click.style(kind, fg=colour, bold=True)
    return (linked(styled, entry.page) if links else styled) + click.style(f" {rest}", bold=True)


def _remark(gutter: int, word: str, text: str) -> str:
    return f"{' ' * gutter} {faint('=')} {click.style(f'{word}:', bold=True)} {printable(text)}"


def _remarks(entry: Entry) -> Iterator[tuple[str, str]]:
    yield from remarks(entry)
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


def _silenced(reports: Sequence[Report]) -> str:
    """What is not told, so that nothing vanishes: by whom it is kept back."""
    by_comment = sum(each.by is not None for report in reports for each in report.silenced)
    known = sum(each.by is None for report in reports for each in report.silenced)
    return (f" {by_comment} silenced by comments." if by_comment else "") + (f" {known} in the baseline." if known else "")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _list(parts: Sequence[str]) -> str:
    *rest, last = parts
    return f"{', '.join(rest)} and {last}" if rest else last
