"""What a check comes to: findings with their places and repairs.

Plain data, for `show` to draw, `write` to carry out and a cache to keep: nothing here holds on to a syntax tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from loopcheck.rule import Confidence, Rule


@dataclass(frozen=True, order=True)
class Span:
    """A piece of a file. Rows and columns count from 1, columns in code points; the end column is one past the last.

    cell: in a notebook, the code cell (from 1), and rows are those of the cell; 0 in a script.
    """

    path: str
    cell: int = field(default=0, kw_only=True)
    row: int
    column: int
    end_row: int
    end_column: int


@dataclass(frozen=True)
class Note:
    """A span of the witness with what it has to do with the bug: `the step that used them`."""

    span: Span
    text: str


@dataclass(frozen=True)
class TextEdit:
    """Put `content` in place of the span (an empty span inserts)."""

    span: Span
    content: str


@dataclass(frozen=True)
class Repair:
    """A planned fix. applicability: `safe`, `unsafe` or `display`; message: what it does, in the imperative."""

    applicability: str
    message: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True)
class Finding:
    """One defect at one place. elsewhere: where it really is, if that is in another file than the one that was judged."""

    rule: Rule
    message: str
    confidence: Confidence
    primary: Span
    related: tuple[Note, ...]
    repair: Repair | None = None
    elsewhere: Span | None = None


@dataclass(frozen=True)
class Problem:
    """A file, or a part of one, that could not be analysed. code: `unreadable`, `syntax`, `too-deep`, `too-large`, `internal`."""

    code: str
    message: str
    span: Span

    @property
    def remark(self) -> bool:
        """It is about a comment of ours, and all code was read."""
        return self.code in ("suppression", "unused")


@dataclass(frozen=True)
class Report:
    """What is known of one file after it was checked.

    skipped: why there was nothing to judge (`no training code`), else None.
    undecided: objects with too many paths to tell, or to tell for sure. cut: what was not read, and why. Both under --verbose.
    """

    path: str
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    skipped: str | None = None
    undecided: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()

    @property
    def partial(self) -> bool:
        """A rule was given up somewhere in it, or a part of it was not read."""
        return bool(self.undecided or self.cut)
