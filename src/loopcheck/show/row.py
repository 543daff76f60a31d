"""One row of an outline, before it is laid out."""

from __future__ import annotations

from loopcheck.finding import Span
from loopcheck.loop import Site, Test
from loopcheck.structs import dataclass

CODE = 44
"""Columns that code may take beside what is said of it."""


@dataclass(frozen=True)
class Row:
    """span: where it is. lead: the first word, to stand out. remarks: what is known besides, in a column of its own."""

    span: Span | None
    text: str
    lead: str = ""
    remarks: tuple[str, ...] = ()


def span_of(site: Site | None) -> Span | None:
    """Where something is in a file, if it is in one."""
    return getattr(site, "span", None)


def condition(test: Test, holds: bool) -> str:
    """What is written where a test holds, or where it does not."""
    text = test.at.text if test.at else test.text
    return text if holds != test.inverted else opposite(text)


def opposite(text: str) -> str:
    """`not x` of `x`, `x` of `not x`."""
    return text[4:] if text.startswith("not ") else f"not {text}"


def short(code: str) -> str:
    """Code on one line, cut where it is long."""
    code = " ".join(code.split())
    return code if len(code) <= CODE else f"{code[: CODE - 1]}…"


def clause(text: str, word: str = "if") -> str:
    """A condition with its keyword; that of a handler or a case has one."""
    return text if text.startswith(("except", "case ")) else f"{word} {text}"
