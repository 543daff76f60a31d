"""Which functions of its own file a piece of code calls, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

import libcst as cst

from loopcheck.read.front.source import Source
from loopcheck.write.statements import dotted, walk

_METHOD = re.compile(r"\.(\w+)\(")


def calls_in(node: cst.CSTNode) -> Iterator[tuple[str, str]]:
    """What is called in a piece of code, as the object and the name: `("self.model", "eval")`, `("", "len")`."""
    for each in walk(node):
        if isinstance(each, cst.Call):
            of, _, name = dotted(each.func).rpartition(".")
            yield of, name


def calls(node: cst.CSTNode, name: str) -> bool:
    """Whether a piece of code calls what has this dotted name."""
    return any(isinstance(each, cst.Call) and dotted(each.func) == name for each in walk(node))


def methods_in(text: str) -> set[str]:
    """The methods that a text calls, told by their spelling, for it need not be Python yet: `{scaler}.update()`."""
    return set(_METHOD.findall(text))


def reached(source: Source, node: cst.CSTNode) -> list[cst.FunctionDef]:
    """The functions and methods of the file that a piece of code may call, directly or through one another."""
    functions = dict(_functions(source))
    found: list[cst.FunctionDef] = []
    work: list[cst.CSTNode] = [node]
    while work:
        for _, name in calls_in(work.pop()):
            new = functions.pop(name, [])
            found += new
            work += new
    return found


@lru_cache(maxsize=8)
def _functions(source: Source) -> Mapping[str, list[cst.FunctionDef]]:
    """Those of a file, by their names."""
    functions: dict[str, list[cst.FunctionDef]] = {}
    for each in walk(source.module):
        if isinstance(each, cst.FunctionDef):
            functions.setdefault(each.name.value, []).append(each)
    return functions
