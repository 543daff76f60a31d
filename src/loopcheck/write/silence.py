"""Comments put where findings are, so that they are silenced from now on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from loopcheck.check import check_source
from loopcheck.excerpt import parts
from loopcheck.finding import Finding, Report, Span, TextEdit
from loopcheck.layout import layout
from loopcheck.read.notebook import is_notebook
from loopcheck.read.text import SourceError, decode
from loopcheck.rule import Rule
from loopcheck.write.apply import edited


class Unsilenced(Exception):
    """Why no comment can be put there."""


def silence(
    data: bytes, report: Report, reason: str, rules: Sequence[Rule], asked: Callable[[Report], Report]
) -> tuple[bytes, Report]:
    """The bytes of a file with a comment above each statement in which something is found, and what is found then.

    asked: what of a report is asked for.

    Raises Unsilenced where a comment does not do that, or would change what the program is.
    """
    try:
        changed = edited(data, _comments(data, report, reason))
    except UnicodeEncodeError as error:
        raise Unsilenced(f"the file's encoding, {error.encoding}, cannot write the reason") from None
    after = asked(check_source(changed, report.path, rules))
    if not is_notebook(report.path) and _program(data) != _program(changed):
        raise Unsilenced("there is no place for a comment")
    if after.findings or len(after.problems) > len(report.problems):
        raise Unsilenced("a comment there does not silence what is found")
    return changed, after


def _comments(data: bytes, report: Report, reason: str) -> Iterator[TextEdit]:
    cells = [lines for _, lines in parts(report.path, data)]
    found: dict[tuple[int, int], list[Finding]] = {}
    for finding in report.findings:
        span = finding.primary
        row, _ = layout("".join(cells[max(span.cell - 1, 0)])).statement(span.row)
        found.setdefault((span.cell, row), []).append(finding)
    for (cell, row), here in found.items():
        line = cells[max(cell - 1, 0)][row - 1]
        indent = line[: len(line) - len(line.lstrip())]
        newline = line[len(line.rstrip("\r\n")) :] or "\n"
        names = ", ".join(dict.fromkeys(finding.rule.name for finding in here))
        comment = f"{indent}# loopcheck: ignore[{names}] -- {reason}{newline}"
        yield TextEdit(Span(report.path, row, 1, row, 1, cell=cell), comment)


def _program(data: bytes) -> str | None:
    """What a file's code is, whatever its comments; None where Python cannot tell."""
    try:
        return ast.dump(ast.parse(decode(data)[0]))
    except (SourceError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
