"""Whether anything calls the code that a place is reached from: what is not Python may, and of some nothing speaks at all."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from loopcheck.read.front.source import Entered, Site
from loopcheck.read.stops.naming import Files, names_of
from loopcheck.read.stops.running import DEFINED, Defined, last_row
from loopcheck.read.stops.written import Written


def unread_caller(sites: Iterable[Site], files: Files) -> str:
    """A file that is no Python and speaks of the code from which a place is reached: it may call that; empty where there is none.

    Of a place that is reached from a statement of a module, all is in sight.
    """
    names = names_of(files, files.noted)
    for site in sites:
        top = next((each for each in (*site.calls, site) if isinstance(each, (Entered, Site))), site)
        name = _outermost(Written.of(top.source).tree.body, top.node.span[0])
        for file in files.importers(top.source.file, name) if name and top.source.file else ():
            if names.other(str(file)) is None:
                return file.name
    return ""


def unspoken(sites: Iterable[Site], files: Files) -> str:
    """The function or class from which a place is reached, or its file, of which nothing in the project speaks: none is run."""
    for site in sites:
        top = next((each for each in (*site.calls, site) if isinstance(each, (Entered, Site))), site)
        file, tree = top.source.file, Written.of(top.source).tree
        around = _around(tree.body, top.node.span[0]) if file else []
        for each in around:
            called = each.name.startswith("__") or each.name == "forward"
            if file and not (called or each.decorator_list) and files.is_unspoken(each.name, file):
                return each.name
        if file and around and not (around[0].decorator_list or _runs_something(tree)) and files.is_idle(file):
            return file.name
    return ""


def shielded(sites: Iterable[Site], files: Files, under: Set[str]) -> str:
    """The method from which a place is reached, where all that calls one of its name in the project does so under one of these
    context managers, of what object is not in sight; empty where something does not, or nothing calls it."""
    for site in sites:
        top = next((each for each in (*site.calls, site) if isinstance(each, (Entered, Site))), site)
        file = top.source.file
        method = _method(Written.of(top.source).tree.body, top.node.span[0])
        if file and method and _all_under(method, file, files, under):
            return method
    return ""


def _all_under(method: str, file: Path, files: Files, under: Set[str], asked: Set[str] = frozenset()) -> bool:
    """Whether all that calls a method of this name does so under one of these context managers, itself or in a method of which
    that holds. What lies beside the file, or below, is asked first: elsewhere may be another of that name.

    asked: the methods that call each other in turn, of which the last calls this one.
    """
    everywhere = files.calling(method, file)
    inside = {method, *asked}
    met: list[bool] = []
    for each in [each for each in everywhere if each.is_relative_to(file.parent)] or everywhere:
        written = Written.at(each, files.text(each))
        for call in _calls(written.tree, method, under) if written else (_IN_A_MODULE,):
            known = call.under or not call.within or call.within in inside or len(inside) > MOST_IN_TURN
            met.append(call.under if known else _all_under(call.within, each, files, under, inside))
    return bool(met) and all(met)


MOST_IN_TURN = 3
"""Methods, each called by the next, that are looked into for one that calls under a context manager."""


def _method(body: Iterable[ast.stmt], row: int) -> str:
    """The method of a class of a module that a row is in."""
    within = (each for each in body if isinstance(each, ast.ClassDef) and each.lineno <= row <= (each.end_lineno or row))
    return next((_outermost(each.body, row) for each in within), "")


class _Called(NamedTuple):
    """A call of a method: the function that it stands in, if any, and whether it is written under a context manager or decorator
    that was asked for."""

    within: str = ""
    under: bool = False


_IN_A_MODULE = _Called()


def _calls(node: ast.AST, method: str, under: Set[str], here: _Called = _IN_A_MODULE) -> Iterator[_Called]:
    """Each call of a method of this name. under: the context managers that are asked for. here: the code around."""
    match node:
        case ast.With(items=items):
            here = here._replace(under=here.under or any(under & _names(each.context_expr) for each in items))
        case ast.FunctionDef(name=name, decorator_list=marks):
            here = _Called(name, any(under & _names(each) for each in marks))
        case ast.Call(func=ast.Attribute(attr=name)) if name == method:
            yield here
        case _:
            pass
    for each in ast.iter_child_nodes(node):
        yield from _calls(each, method, under, here)


def _names(node: ast.AST) -> set[str]:
    """What an expression names: `torch.no_grad()` `torch` and `no_grad`."""
    return {getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(node)}


def _runs_something(module: ast.Module) -> bool:
    """Whether a file does anything when it is run, but to define and to import."""
    idle = (*DEFINED, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Pass)
    told = (each for each in module.body if not isinstance(each, idle))
    return any(not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)) for each in told)


def _around(body: Sequence[ast.stmt], row: int) -> list[Defined]:
    """The function or class of a module that a row is in, and the method, of a class that inherits from none that may call it."""
    number = bisect_left(body, row, key=last_row)
    each = body[number] if number < len(body) else None
    if not isinstance(each, DEFINED) or each.lineno > row:
        return []
    inner = isinstance(each, ast.ClassDef) and all(map(_calls_nothing, each.bases)) and not each.keywords
    return [each, *(_around(each.body, row) if isinstance(each, ast.ClassDef) and inner else [])]


def _calls_nothing(base: ast.expr) -> bool:
    """Whether a base class calls no methods of those that inherit from it, but `forward` and the ones that Python itself does."""
    return getattr(base, "attr", getattr(base, "id", "")) in ("object", "Module")


def _outermost(body: Sequence[ast.stmt], row: int) -> str:
    """The function or class of a module that a row is in."""
    return next((each.name for each in _around(body, row)), "")
