"""What a check comes to: findings with their places and repairs.

Plain data, for `show` to draw, `write` to carry out and a cache to keep: nothing here holds on to a syntax tree.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

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
    """One defect at one place. elsewhere: where it really is, if that is in another file than the one that was judged.

    because: why one is as sure of it as that. unmended: why there is no repair. run: what a recorded run says of it, where
    there is one: `confirmed at step 3`. witness: the events that make it, in the order in which they happen, each with its verb.
    fingerprint: the same for as long as the rule, the function around it and the text of the events are, on whatever rows.
    changes: a word for each change that mends it, the same for all that this mends. mended_in: the file that they are made in.
    """

    rule: Rule
    message: str
    confidence: Confidence
    primary: Span
    related: tuple[Note, ...]
    repair: Repair | None = None
    elsewhere: Span | None = None
    because: str = ""
    witness: tuple[Note, ...] = ()
    fingerprint: str = ""
    run: str = ""
    unmended: str = ""
    changes: tuple[str, ...] = ()
    mended_in: str = ""

    @property
    def away(self) -> bool:
        """Whether another file has a word in it that may yet be judged: it really is there, or mended there."""
        return self.elsewhere is not None or self.mended_in not in ("", self.primary.path)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Every piece of code that it is about, the primary first."""
        return (self.primary, *(note.span for note in self.related))


@dataclass(frozen=True)
class Silenced:
    """A finding that is not reported, and the reason. by: the comment that says so; None where the baseline holds it."""

    finding: Finding
    reason: str
    by: Span | None = None


@dataclass(frozen=True)
class Problem:
    """A file, or a part of one, that could not be analysed. code: `unreadable`, `syntax`, `too-deep`, `too-large`, `internal`.

    Or a comment that silences nothing: `suppression` where it cannot, `unused` where there is nothing to silence; or one
    that names a rule as it was once called, `renamed`.
    """

    code: str
    message: str
    span: Span
    repair: Repair | None = None

    @property
    def remark(self) -> bool:
        """It is about a comment of ours, and all code was read."""
        return self.code in ("suppression", "unused", "renamed")


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
    silenced: tuple[Silenced, ...] = ()

    @property
    def aloud(self) -> Report:
        """The report as if nothing were silenced."""
        both = (*self.findings, *(each.finding for each in self.silenced))
        return replace(self, findings=tuple(sorted(both, key=lambda finding: (finding.primary, finding.rule.code))), silenced=())

    @property
    def partial(self) -> bool:
        """A rule was given up somewhere in it, or a part of it was not read."""
        return bool(self.undecided or self.cut)
