"""What a terminal shows while a run goes on: findings as soon as they are known, and how far it is where that takes a while."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TextIO

import click

from loopcheck.finding import Report
from loopcheck.once import first_told
from loopcheck.show.entry import Entry, entries
from loopcheck.show.frame import Lines
from loopcheck.show.links import follows
from loopcheck.show.text import block

PATIENCE = 1.0
"""Seconds that pass before anything is said of how far it is."""
_ERASE = "\r\x1b[K"


class Bar:
    """What is done of all, on one line that is gone in the end. Nothing at all where the stream is no terminal that can erase."""

    def __init__(self, total: int, stream: TextIO, clock: Callable[[], float] = time.monotonic, things: str = "files") -> None:
        self._total = total
        self._things = things
        self._stream = stream
        self._clock = clock
        self._start = clock()
        self._drawn = False

    def draw(self, done: int) -> None:
        if self._stream.isatty() and os.environ.get("TERM") != "dumb" and self._clock() - self._start >= PATIENCE:
            self._drawn = True
            self._stream.write(f"{_ERASE}{done} of {self._total} {self._things}")
            self._stream.flush()

    def erase(self) -> None:
        if self._drawn:
            self._drawn = False
            self._stream.write(_ERASE)
            self._stream.flush()


class Flow:
    """Shows what is found while the rest is judged, in the order of the files. shown: what need not be shown again.

    lines: None where everything is shown in the end. A finding that really is in another file, or mended there, waits for the
    end, too: its defect may yet be told of there.
    """

    def __init__(self, bar: Bar, lines: Lines | None) -> None:
        self.shown: set[Entry] = set()
        self._bar = bar
        self._lines = lines
        self._known: dict[int, Report] = {}
        self._next = 0

    def hear(self, number: int, report: Report) -> None:
        self._known[number] = report
        while self._lines and self._next in self._known:
            found = self._known[self._next].findings
            told = first_told(found)
            own = tuple(told[id(finding)] for finding in found if id(finding) in told and not finding.away)
            for entry in entries(replace(self._known[self._next], findings=own)):
                self._bar.erase()
                click.echo(block(entry, self._lines, follows(sys.stdout)) + "\n")
                self.shown.add(entry)
            self._next += 1
        self._bar.draw(len(self._known))
