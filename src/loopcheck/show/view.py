"""What a format is given of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from typing import TypeAlias

from loopcheck.cache import digest
from loopcheck.finding import Report, Span
from loopcheck.rule import Rule
from loopcheck.show.entry import Entry, entries
from loopcheck.show.frame import Lines
from loopcheck.structs import cached_property, dataclass

Row: TypeAlias = Callable[[Span], int]
"""The row of a notebook's file on which a row of a cell is written."""


@dataclass(frozen=True)
class View:
    """The reports of a run, and what their formats ask for.

    rules: those that were judged. shown: what the reader has seen before. left: files that were to be judged when the run was
    interrupted. links: who reads it follows links.
    """

    reports: Sequence[Report]
    lines: Lines
    row: Row
    rules: Sequence[Rule] = ()
    shown: Set[Entry] = frozenset()
    left: int = 0
    links: bool = False

    @cached_property
    def entries(self) -> list[Entry]:
        """All that was found, file by file, from top to bottom."""
        return [entry for report in self.reports for entry in entries(report)]

    def line(self, span: Span) -> int:
        """The row of the file on which a span begins, in a notebook, too."""
        return self.row(span) if span.cell else span.row


def identified(found: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """Each entry with what stands for it, and for no other, in this run and in later ones, whatever row it moves to."""
    seen: Counter[tuple[str, str]] = Counter()
    for entry in found:
        key = entry.primary.path, entry.fingerprint
        seen[key] += 1
        yield entry, digest("\n".join([*key, str(seen[key])]).encode(errors="surrogatepass"))
