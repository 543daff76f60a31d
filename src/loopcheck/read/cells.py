"""The code cells of a notebook's JSON, and where in it their source is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from loopcheck.read.text import SourceError
from loopcheck.structs import dataclass

_DECODER = json.JSONDecoder(parse_int=float)
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True)
class Written:
    """A cell's source. strings: where the strings that it is made of begin and end, without their quotes.

    seam: what parts two lines. In a list of strings that is quotes, a comma and the layout, in one string nothing.
    """

    text: str
    strings: tuple[tuple[int, int], ...] = ()
    seam: str = ""


class _Value(NamedTuple):
    start: int
    end: int
    content: Any


def language(notebook: Any) -> str:
    """What a notebook says that it is written in; Python where it says nothing."""
    for path in (("metadata", "kernelspec", "language"), ("metadata", "language_info", "name")):
        found = notebook
        for key in path:
            found = found.get(key) if isinstance(found, dict) else None
        if found and isinstance(found, str):
            return found
    return "python"


def code_cells(text: str) -> Iterator[Written]:
    """The code cells of valid JSON. Raises SourceError where it is no notebook."""
    top = _parts(text, _after_space(text, 0))
    sheets = [top]
    if "worksheets" in top:  # as notebooks were before 2014
        sheets = [_parts(text, sheet.start) for sheet in _parts(text, top["worksheets"].start).values()]
    for sheet in sheets:
        if "cells" not in sheet or not isinstance(sheet["cells"].content, list):
            raise SourceError("unreadable", "this JSON is no notebook: it has no list of cells")
        for cell in _parts(text, sheet["cells"].start).values():
            if isinstance(cell.content, dict) and cell.content.get("cell_type") == "code":
                yield _written(text, _parts(text, cell.start))


def _written(text: str, cell: Mapping[object, _Value]) -> Written:
    source = cell.get("source") or cell.get("input")
    if source is None:
        return Written("")
    if isinstance(source.content, str):
        return Written(source.content, ((source.start + 1, source.end - 1),))
    lines = [line for line in _parts(text, source.start).values() if isinstance(line.content, str)]
    strings = tuple((line.start + 1, line.end - 1) for line in lines)
    if len(lines) > 1:
        seam = text[strings[0][1] : strings[1][0]]
    else:
        seam = f'",{_SPACE.match(text, source.start + 1)[0]}"'  # type: ignore[index]
    return Written("".join(line.content for line in lines), strings, seam)


def _parts(text: str, at: int) -> dict[object, _Value]:
    """What an object or an array holds, by key or by number; nothing where another value begins."""
    parts: dict[object, _Value] = {}
    named = text[at] == "{"
    if not named and text[at] != "[":
        return parts
    at = _after_space(text, at + 1)
    while text[at] not in "}]":
        key: object = len(parts)
        if named:
            key, at = _DECODER.raw_decode(text, at)
            at = _after_space(text, _after_space(text, at) + 1)
        content, end = _DECODER.raw_decode(text, at)
        parts[key] = _Value(at, end, content)
        at = _after_space(text, end)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    return parts


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
