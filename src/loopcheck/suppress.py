"""Comments that silence a finding where it is right as it stands: `# loopcheck: ignore[clip-after-step] -- the reason`.

The comment stands on a line of any span of the finding, or on a line of its own directly above one. The reason is
required: the next reader must be able to tell a judgement from a shrug. A comment that gives none, or that names no rule
there is, silences nothing and is itself reported.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from loopcheck import packs
from loopcheck.finding import Finding, Problem, Span
from loopcheck.rule import Rule
from loopcheck.select import unknown

MARK = "loopcheck:"
_EXAMPLE = "`# loopcheck: ignore[rule-name] -- the reason`"
_IDLE = "nothing is found that this comment could silence: remove it"
_COMMENT = re.compile(r"#\s*loopcheck:\s*(?P<order>.*)$")
_ORDER = re.compile(r"ignore\s*\[(?P<names>[^\]]*)\]\s*(?:--\s*(?P<reason>.*))?$")


@dataclass(frozen=True)
class _Ignore:
    """A comment that silences: the rules' names and codes, where the code begins that it is about, and where it stands."""

    names: frozenset[str]
    at: Span
    comment: Span

    def silences(self, finding: Finding) -> bool:
        spans = [finding.primary, *(note.span for note in finding.related)]
        near = [span for span in spans if (span.path, span.cell) == (self.at.path, self.at.cell)]
        about = any(span.row <= self.at.row <= span.end_row for span in near)
        return about and not self.names.isdisjoint((finding.rule.name, finding.rule.code))


def apply(
    findings: Iterable[Finding],
    text: str,
    path: str,
    rules: Sequence[Rule],
    place: Callable[[Span], Span],
    whole: bool = False,
) -> tuple[list[Finding], list[Problem]]:
    """The findings that no comment of the file silences, and the comments that cannot silence anything.

    whole: the findings are all that the rules find in the file, so that a comment that silences none of them is not needed.
    rules: those being judged; a comment may name these and every installed one. place: from a span of the text to one of
    the file.
    """
    if MARK not in text:
        return list(findings), []
    known = (*rules, *packs.rules())
    ignores: list[_Ignore] = []
    problems: list[Problem] = []
    for comment, order, row in _orders(text):
        at = place(Span(path, comment.start[0], comment.start[1] + 1, comment.end[0], comment.end[1] + 1))
        told = _read(order, place(Span(path, row, 1, row, 1)), at, known)
        if isinstance(told, _Ignore):
            ignores.append(told)
        else:
            problems.append(Problem("suppression", told, at))
    findings = list(findings)
    if whole:
        judged = {word for rule in rules for word in (rule.name, rule.code)}
        idle = [each for each in ignores if each.names <= judged and not any(map(each.silences, findings))]
        problems += [Problem("unused", _IDLE, each.comment) for each in idle]
    return [finding for finding in findings if not any(each.silences(finding) for each in ignores)], problems


def _read(order: str, at: Span, comment: Span, known: Sequence[Rule]) -> _Ignore | str:
    """What a comment orders, or what is wrong with it."""
    parts = _ORDER.match(order)
    if parts is None:
        return f"this comment silences nothing: write {_EXAMPLE}"
    names = [name.strip() for name in parts["names"].split(",") if name.strip()]
    if not names:
        return f"this comment names no rule, so it silences nothing: write {_EXAMPLE}"
    spelled = {word for rule in known for word in (rule.name, rule.code)}
    if wrong := [name for name in names if name not in spelled]:
        return f"this comment silences nothing: {unknown(wrong[0], known)}"
    if not (parts["reason"] or "").strip():
        return f"this comment gives no reason, so it silences nothing: add `-- why {names[0]} is right here`"
    return _Ignore(frozenset(names), at, comment)


def _orders(text: str) -> Iterator[tuple[tokenize.TokenInfo, str, int]]:
    """Every comment for loopcheck, what it orders, and the row of the code that it is about."""
    lines = io.StringIO(text, newline=None).readlines()
    about = _rows_of_code(lines)
    try:
        for lexeme in tokenize.generate_tokens(iter(lines).__next__):
            if lexeme.type == tokenize.COMMENT and (order := _COMMENT.search(lexeme.string)):
                yield lexeme, order["order"].rstrip(), about[lexeme.start[0] - 1]
    except (tokenize.TokenError, SyntaxError):
        return  # the reader has accepted the file; what the tokenizer cannot follow holds no comment of ours


def _rows_of_code(lines: Sequence[str]) -> list[int]:
    """Of each row the first from there on that is no line of comment; of a comment that ends the file, the last."""
    rows = [*range(1, len(lines) + 1)]
    for at in reversed(range(len(lines) - 1)):
        if lines[at].lstrip().startswith("#"):
            rows[at] = rows[at + 1]
    return rows
