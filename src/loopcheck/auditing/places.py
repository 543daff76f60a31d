"""From a place in a run to the piece of a file: an interpreter tells the line and the text, an editor wants the columns too."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from loopcheck import excerpt
from loopcheck.finding import Span
from loopcheck.record.site import Site


def span(site: Site) -> Span:
    """The call that a site is; the line, where it cannot be told which one."""
    lines = excerpt.lines(site.file)
    line = lines[site.line - 1].rstrip() if 0 < site.line <= len(lines) else ""
    for node in _at(site.file, site.line):
        if node.end_lineno and node.end_col_offset and _told(lines, node) == site.text:
            begin, end = _column(lines, node.lineno, node.col_offset), _column(lines, node.end_lineno, node.end_col_offset)
            return Span(shown(site.file), node.lineno, begin, node.end_lineno, end)
    begin = line.find(site.text)
    if begin >= 0 and site.text:
        return Span(shown(site.file), site.line, begin + 1, site.line, begin + 1 + len(site.text))
    return span_of_line(site.file, site.line)


def span_of_line(file: str, row: int) -> Span:
    """The code of a line."""
    lines = excerpt.lines(file)
    line = lines[row - 1].rstrip() if 0 < row <= len(lines) else ""
    first = len(line) - len(line.lstrip())
    return Span(shown(file), row, first + 1, row, max(len(line.split("  #")[0].rstrip()), first + 1) + 1)


def shown(file: str) -> str:
    """A file's name as a person here would write it."""
    near = os.path.relpath(file)
    return file if near.startswith(os.pardir) else near


def _at(file: str, line: int) -> Iterator[ast.expr]:
    """The expressions that stand on a line, the outer ones first."""
    return (node for node in _expressions(file) if node.lineno <= line <= (node.end_lineno or node.lineno))


@cache
def _expressions(file: str) -> tuple[ast.expr, ...]:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, (ast.Call, ast.Attribute, ast.Name)))


def _told(lines: list[str], node: ast.expr) -> str:
    """The text of a node, as a site tells it."""
    rows = [row.encode() for row in lines[node.lineno - 1 : node.end_lineno]]
    if not rows:
        return ""
    rows[-1] = rows[-1][: node.end_col_offset]
    rows[0] = rows[0][node.col_offset :]
    return " ".join(b"".join(rows).decode(errors="replace").split("  #")[0].rstrip(": \n").split())


def _column(lines: list[str], row: int, offset: int) -> int:
    return len(lines[row - 1].encode()[:offset].decode(errors="replace")) + 1
