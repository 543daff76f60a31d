"""A call that somebody has taken out of the code, and left there as a comment."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from loopcheck.read.front.source import Entered, Site
from loopcheck.read.stops.running import FUNCTION
from loopcheck.read.stops.written import Written


def taken_out(method: str, sites: Iterable[Site]) -> str:
    """The call of a method, `net.eval()`, that stands as a comment in a function from which one of these places is reached; empty
    where none does."""
    said = re.compile(rf"^\s*#+\s*(\w[\w.]*\.{re.escape(method)}\(\))\s*$")
    for site in sites:
        for each in (*site.calls, site):
            lines = _function_at(each) if isinstance(each, (Entered, Site)) and f".{method}()" in each.source.text else []
            for found in filter(None, map(said.match, lines)):
                return found[1]
    return ""


def _function_at(place: Entered | Site) -> list[str]:
    """The lines of the innermost function around a place; none of what no function is around."""
    row = place.node.span[0]
    around = [
        each
        for each in ast.walk(Written.of(place.source).tree)
        if isinstance(each, FUNCTION) and each.lineno <= row <= (each.end_lineno or row)
    ]
    if not around:
        return []
    inner = max(around, key=lambda each: each.lineno)
    return place.source.text.splitlines()[inner.lineno - 1 : inner.end_lineno]
