"""Comments that silence a finding where it is right as it stands: `# loopcheck: ignore[clip-after-step] -- the reason`.

The comment is about its line and the statement there, or, on a line of its own, about the next code; `ignore-block` is about
the whole block whose head that is, `ignore-file` about the file. It silences what has any span of its witness there. The
reason is required: the next reader must be able to tell a judgement from a shrug. A comment that gives none, or that names no
rule there is, silences nothing and is itself reported, and so is one that nothing needs. `# noqa: LC101` is heeded as well,
which other tools own: nothing is asked of it.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from loopcheck import packs
from loopcheck.finding import Finding, Problem, Repair, Silenced, Span, TextEdit
from loopcheck.fix import SAFE
from loopcheck.layout import Rows, layout
from loopcheck.rule import Rule
from loopcheck.select import renamed, unknown
from loopcheck.structs import cached_property, dataclass

MARK = "loopcheck:"
Met: TypeAlias = tuple[Rule, tuple[Span, ...]]
"""A rule, and all places that have a part in what was met of it."""
_EXAMPLE = "`# loopcheck: ignore[rule-name] -- the reason`"
_COMMENT = re.compile(r"#\s*loopcheck:\s*(?P<order>.*?)(?=\s+#\s*(?:noqa\b|[\w-]+:)|$)")
_ORDER = re.compile(r"ignore(?:-(?P<scope>block|file))?\s*\[(?P<names>[^\]]*)\]\s*(?:--\s*(?P<reason>.*))?$")
_NOQA = re.compile(r"#\s*noqa:(?P<names>[\s,\w-]+)", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\W*|<.*>|(?:the |a |your |some )?(?:reason|explanation|justification|comment)s?|to-?do|tbd|fixme|xxx+|why|because|wip|later"
    r"|n/?a|none|no|yes|ok|fine|ignored?|silenced?|suppress(?:ed)?|noqa|skip(?:ped)?|false[ -]?(?:positive|alarm)|fp"
    r"|temp(?:orary)?",
    re.IGNORECASE,
)
_MENTION = re.compile(r"loopcheck:|noqa:", re.IGNORECASE)


@dataclass(frozen=True)
class Ignore:
    """A comment that silences.

    names: of the rules, as written. at: the comment. reach: the code that it is about, None for all of its file. without: the
    edit that leaves the comment with these names; None of a comment that is another tool's.
    """

    names: tuple[str, ...]
    reason: str
    at: Span
    reach: Span | None
    without: Callable[[Sequence[str]], TextEdit] | None = None

    def concerns(self, spans: Iterable[Span]) -> bool:
        """Whether one of the spans lies in what the comment is about."""
        return any(self._covers(span) for span in spans)

    def _covers(self, span: Span) -> bool:
        if self.reach is None:
            return span.path == self.at.path
        same = (span.path, span.cell) == (self.reach.path, self.reach.cell)
        return same and span.row <= self.reach.end_row and self.reach.row <= span.end_row


def names(rule: Rule, spelled: Iterable[str]) -> bool:
    """Whether a rule is among those that are named, by name or by code, of today or of once."""
    return not set(rule.spellings).isdisjoint(spelled)


def apply(findings: Iterable[Finding], ignores: Sequence[Ignore]) -> tuple[tuple[Finding, ...], tuple[Silenced, ...]]:
    """The findings that no comment silences, and the others."""
    kept: list[Finding] = []
    silenced: list[Silenced] = []
    for finding in findings:
        by = next((each for each in ignores if names(finding.rule, each.names) and each.concerns(finding.spans)), None)
        if by:
            silenced.append(Silenced(finding, by.reason, by.at))
        else:
            kept.append(finding)
    return tuple(kept), tuple(silenced)


def unused(ignores: Iterable[Ignore], met: Sequence[Met], rules: Sequence[Rule]) -> list[Problem]:
    """The comments, or names in them, that nothing needs. Only a rule that was judged can tell."""
    problems: list[Problem] = []
    for ignore in ignores:
        judged = {name for name in ignore.names if any(names(rule, (name,)) for rule in rules)}
        needed = {name for rule, spans in met for name in ignore.names if names(rule, (name,)) and ignore.concerns(spans)}
        if ignore.without and (stale := [name for name in ignore.names if name in judged - needed]):
            left = [name for name in ignore.names if name not in stale]
            told = f"nothing here is silenced by `{', '.join(stale)}`"
            repair = Repair(SAFE, "take it out of the comment" if left else "remove the comment", (ignore.without(left),))
            problems.append(Problem("unused", told, ignore.at, repair))
    return problems


def ignores(text: str, path: str, rules: Sequence[Rule], place: Callable[[Span], Span]) -> tuple[list[Ignore], list[Problem]]:
    """The comments of a file that silence, and those that seem to.

    rules: those being judged; a comment may name these and every installed one. place: from a span of the text to one of
    the file.
    """
    if not _MENTION.search(text):
        return [], []
    reader = _Reader(text, path, (*rules, *packs.rules()), place)
    if not reader.may_speak():
        return [], []
    told = [*reader.read()]
    return [each for each in told if isinstance(each, Ignore)], [each for each in told if isinstance(each, Problem)]


def objection(reason: str) -> str:
    """What is wrong with a reason: empty where it is one."""
    if not reason.strip():
        return "gives no reason"
    return f"gives `{reason.strip()}`, which is no reason" if _PLACEHOLDER.fullmatch(reason.strip(" .!?")) else ""


class _Reader:
    """Reads the comments of one text."""

    def __init__(self, text: str, path: str, known: Sequence[Rule], place: Callable[[Span], Span]) -> None:
        self._text = text
        self._path = path
        self._known = known
        self._place = place
        self._lines = io.StringIO(text, newline=None).readlines()

    @cached_property
    def _about(self) -> Sequence[int]:
        """Of each row, the row of code that a comment in it is about."""
        return _rows_of_code(self._lines)

    def may_speak(self) -> bool:
        """Whether a line holds more than other tools' `noqa`, of which a file may have a hundred. It costs no tokens to tell."""
        lines = [line for line in self._lines if _MENTION.search(line)]
        return any(_COMMENT.search(line) or any(map(self._silenced, _NOQA.finditer(line))) for line in lines)

    def _silenced(self, noqa: re.Match[str]) -> tuple[str, ...]:
        """The codes of the rules that a `noqa` names."""
        spelled = {word.upper() for word in re.split(r"[\s,]+", noqa["names"])}
        return tuple(rule.code for rule in self._known if not {rule.code, *rule.formerly}.isdisjoint(spelled))

    def read(self) -> Iterator[Ignore | Problem]:
        try:
            for lexeme in tokenize.generate_tokens(iter(self._lines).__next__):
                if lexeme.type == tokenize.COMMENT:
                    yield from self._comment(lexeme)
        except (tokenize.TokenError, SyntaxError):
            return  # the reader has accepted the file; what the tokenizer cannot follow holds no comment of ours

    def _comment(self, lexeme: tokenize.TokenInfo) -> Iterator[Ignore | Problem]:
        row, column = lexeme.start[0], lexeme.start[1] + 1
        if found := _COMMENT.search(lexeme.string):
            at = self._place(Span(self._path, row, column, row, lexeme.end[1] + 1))
            read = self._read(found, lexeme, at)
            yield read
            if isinstance(read, Ignore):
                yield from self._renamed(read)
        if (found := _NOQA.search(lexeme.string)) and (codes := self._silenced(found)):
            at = self._place(Span(self._path, row, column, row, lexeme.end[1] + 1))
            yield Ignore(codes, "noqa", at, self._reach(layout(self._text).statement(self._about[row - 1])))

    def _read(self, comment: re.Match[str], lexeme: tokenize.TokenInfo, at: Span) -> Ignore | Problem:
        """What a comment orders, or what is wrong with it."""
        row = self._about[lexeme.start[0] - 1]
        parts = _ORDER.match(comment["order"].rstrip())
        if parts is None:
            return Problem("suppression", f"this comment silences nothing: write {_EXAMPLE}", at)
        named = tuple(name.strip() for name in parts["names"].split(",") if name.strip())
        if not named:
            return Problem("suppression", f"this comment names no rule, so it silences nothing: write {_EXAMPLE}", at)
        spelled = {word for rule in self._known for word in rule.spellings}
        if wrong := [name for name in named if name not in spelled]:
            return Problem("suppression", f"this comment silences nothing: {unknown(wrong[0], self._known)}", at)
        reason = (parts["reason"] or "").strip()
        if wrong_with := objection(reason):
            told = f"this comment {wrong_with}, so it silences nothing: add `-- why {named[0]} is right here`"
            return Problem("suppression", told, at)
        rows = layout(self._text).block(row) if parts["scope"] == "block" else layout(self._text).statement(row)
        if rows is None:
            return Problem("suppression", "this comment silences nothing: no block begins here", at)
        reach = None if parts["scope"] == "file" else self._reach(rows)
        return Ignore(named, reason, at, reach, lambda left: self._without(comment, parts, lexeme, left))

    def _renamed(self, ignore: Ignore) -> Iterator[Problem]:
        """What a comment that silences calls by a name of once."""
        if ignore.without and (now := renamed(self._known, ignore.names)):
            told = ", ".join(f"`{old}` is called `{new}` now" for old, new in now.items())
            edit = ignore.without([now.get(name, name) for name in ignore.names])
            yield Problem("renamed", told, ignore.at, Repair(SAFE, "write the new name", (edit,)))

    def _reach(self, rows: Rows) -> Span:
        first, last = (self._place(Span(self._path, row, 1, row, 1)) for row in rows)
        return Span(self._path, first.row, 1, last.row, 1, cell=first.cell)

    def _without(self, comment: re.Match[str], parts: re.Match[str], lexeme: tokenize.TokenInfo, left: Sequence[str]) -> TextEdit:
        """The edit after which only these names are left of a comment; where none is, nothing of it."""
        row, column = lexeme.start
        start = column + comment.start("order")
        if left:
            return self._edit(row, start + parts.start("names"), start + parts.end("names"), ", ".join(left))
        line = self._lines[row - 1]
        begin, end = column + comment.start(), column + comment.end()
        begin = len(line[:begin].rstrip())
        if begin or line[end:].strip():
            indent = line[: len(line) - len(line.lstrip())] if not begin else "  "
            rest = line[end:].rstrip("\n")
            return self._edit(row, begin, end + len(rest) - len(rest.lstrip()), indent if rest.strip() else "")
        at = self._place(Span(self._path, row, 1, row, 1))
        return TextEdit(Span(at.path, at.row, 1, at.row + 1, 1, cell=at.cell), "")

    def _edit(self, row: int, begin: int, end: int, content: str) -> TextEdit:
        return TextEdit(self._place(Span(self._path, row, begin + 1, row, end + 1)), content)


def _rows_of_code(lines: Sequence[str]) -> list[int]:
    """Of each row the first from there on that is no line of comment; of a comment that ends the file, the last."""
    rows = [*range(1, len(lines) + 1)]
    for at in reversed(range(len(lines) - 1)):
        if lines[at].lstrip().startswith("#"):
            rows[at] = rows[at + 1]
    return rows
