"""What a piece of code reads, binds and changes, as far as its names tell: may two statements change places?"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias

import libcst as cst

from loopcheck.api import SHOWN
from loopcheck.read.front.concrete import parts
from loopcheck.read.front.source import Source
from loopcheck.structs import dataclass, field
from loopcheck.words import UNCHANGING
from loopcheck.write.statements import function_of, walk

Path: TypeAlias = tuple[str, ...]
"""A dotted name: `self.optimizer` is ("self", "optimizer")."""


@dataclass
class Effects:
    """binds, reads: variables. uses, changes: objects, by their dotted names. attributes: every attribute's name.

    leaves: it may end the pass or the function.
    """

    binds: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    uses: set[Path] = field(default_factory=set)
    changes: set[Path] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    leaves: bool = False

    def blocks(self, moved: Effects, verb: str) -> bool:
        """Whether a statement of this verb means something else on the other side of this one."""
        return (
            self.tangles(moved)
            or self.leaves
            or self.reads_what(verb)
            or _meet(self.changes, moved.uses)
            or _meet(self.uses, moved.changes)
        )

    def reads_what(self, verb: str) -> bool:
        """Whether it looks at what a verb changes."""
        return bool(self.attributes & SHOWN.get(verb, set()))

    def tangles(self, moved: Effects) -> bool:
        """Whether one of the two binds a variable that the other reads or binds."""
        return bool(self.binds & (moved.binds | moved.reads) or self.reads & moved.binds)


@lru_cache(maxsize=1024)
def effects(source: Source, node: cst.CSTNode) -> Effects:
    """What a node does when it is run. It is kept, so nobody may change it: every repair in a block asks all of it."""
    found = Effects()
    _Reader(found, *_known(source)).read(node)
    return found


@lru_cache(maxsize=64)
def bound(scope: cst.CSTNode) -> frozenset[str]:
    """Every variable that a function, a module or a piece of code binds in its own scope."""
    return frozenset(_bound(scope, lambda statement: 0))


@lru_cache(maxsize=64)
def rows_bound(source: Source, scope: cst.CSTNode) -> Mapping[str, int]:
    """The same of a file's function or module, each with the row of the first statement that binds it."""
    return _bound(scope, lambda statement: source.span_of(statement).row)


def _bound(scope: cst.CSTNode, row_of: Callable[[cst.CSTNode], int]) -> Mapping[str, int]:
    binder = _Binder(row_of)
    if isinstance(scope, cst.FunctionDef):
        binder.params(scope.params)
        binder.read(scope.body)
    else:
        binder.children(scope)
    return binder.first | dict.fromkeys(binder.found.binds, 0)


def unknown(source: Source, node: cst.CSTNode, row: int, names: Iterable[str]) -> set[str]:
    """Those of the names that mean nothing at a row of the function that `node` is in.

    Where `*` is imported, what the code around reads and nobody binds is from there.
    """
    scopes: list[cst.CSTNode] = []
    inner: cst.CSTNode | None = node
    while inner := function_of(source, inner) if inner is not None else None:
        if isinstance(inner, cst.FunctionDef):
            scopes.append(inner)
    here, *outer = [*scopes, source.module]
    known = {name for name, first in rows_bound(source, here).items() if first < row}
    known = known.union(*map(bound, outer))
    if "*" in bound(source.module):
        known |= _read_in(source, here) - bound(here)
    return set(names) - known - set(dir(builtins))


@lru_cache(maxsize=64)
def _read_in(source: Source, scope: cst.CSTNode) -> frozenset[str]:
    """Every variable that a function or a module reads."""
    return frozenset(effects(source, scope.body if isinstance(scope, cst.FunctionDef) else scope).reads)


def names_in(text: str) -> set[str]:
    """The variables that a piece of code reads and does not bind, outer names of dotted ones only."""
    found = Effects()
    _Reader(found, frozenset(), frozenset()).read(cst.parse_module(text))
    return found.reads - found.binds


def _root(node: cst.CSTNode) -> cst.CSTNode:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node


def _meet(some: set[Path], others: set[Path]) -> bool:
    """Whether one of some is one of the others, or a part of one, or holds one."""
    return any(one[: len(other)] == other[: len(one)] for one in some for other in others)


@lru_cache(maxsize=8)
def _known(source: Source) -> tuple[frozenset[str], frozenset[str]]:
    """The names that imports bind anywhere in a file, and the names of its methods."""
    imported, methods = Effects(), set()
    reader = _Reader(imported, frozenset(), frozenset())
    for node in walk(source.module):
        if isinstance(node, (cst.Import, cst.ImportFrom)):
            reader.read(node)
        elif isinstance(node, cst.FunctionDef) and isinstance(function_of(source, node), cst.ClassDef):
            methods.add(node.name.value)
    return frozenset(imported.binds), frozenset(methods)


class _Reader:
    """A walk over a piece of code that notes its effects."""

    def __init__(self, found: Effects, imported: frozenset[str], methods: frozenset[str]) -> None:
        self.found = found
        self.imported = imported
        self.methods = methods
        self.loops = 0

    def read(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Name(value):
                self.found.reads.add(value)
                self.use(node)
            case cst.Attribute():
                self.use(node)
                self.chain(node)
            case cst.Call():
                self.call(node)
            case cst.For(target=target):
                self.bind(target)
                self.loop(node, without=target)
            case cst.While():
                self.loop(node)
            case (
                cst.AssignTarget(target)
                | cst.AnnAssign(target)
                | cst.NamedExpr(target)
                | cst.CompFor(target)
                | cst.AsName(target)
            ):
                self.bind(target)
                self.children(node, without=target)
            case cst.AugAssign(target=target):
                self.bind(target)
                self.children(node)
            case cst.Del(target):
                self.bind(target)
            case cst.ImportAlias():
                named = node.asname.name if node.asname else node.name
                self.bind(_root(named))
            case cst.FunctionDef(name=name) | cst.ClassDef(name=name):
                self.bind(name)
                self.inside(node)
            case cst.Lambda() | cst.BaseComp():
                self.inside(node)
            case cst.Return() | cst.Break() | cst.Continue():
                self.found.leaves |= isinstance(node, cst.Return) or not self.loops
                self.children(node)
            case cst.Arg():
                self.read(node.value)
            case cst.ImportStar():
                self.found.binds.add("*")
            case _:
                self.children(node)

    def chain(self, node: cst.BaseExpression) -> None:
        """A dotted name: one object, not one for each dot."""
        while isinstance(node, cst.Attribute):
            self.found.attributes.add(node.attr.value)
            node = node.value
        if isinstance(node, cst.Name):
            self.found.reads.add(node.value)
        else:
            self.read(node)

    def children(self, node: cst.CSTNode, without: cst.CSTNode | None = None) -> None:
        for child in parts(node):
            if child is not without:
                self.read(child)

    def loop(self, node: cst.CSTNode, without: cst.CSTNode | None = None) -> None:
        self.loops += 1
        self.children(node, without)
        self.loops -= 1

    def inside(self, node: cst.CSTNode) -> None:
        """Code with variables of its own: what it reads and does may matter, what it binds stays there."""
        inner = Effects()
        reader = _Reader(inner, self.imported, self.methods)
        if isinstance(node, (cst.FunctionDef, cst.Lambda)):
            reader.params(node.params)
        for child in parts(node):
            if not (isinstance(node, (cst.FunctionDef, cst.ClassDef)) and child is node.name):
                reader.read(child)
        self.found.reads |= inner.reads - inner.binds
        self.found.attributes |= inner.attributes
        self.found.uses |= {path for path in inner.uses if path[0] not in inner.binds}
        self.found.changes |= {path for path in inner.changes if path[0] not in inner.binds}

    def params(self, params: cst.Parameters) -> None:
        for node in walk(params):
            if isinstance(node, cst.Param):
                self.found.binds.add(node.name.value)

    def bind(self, target: cst.CSTNode) -> None:
        match target:
            case cst.Name(value):
                self.found.binds.add(value)
            case cst.Attribute():
                self.change(target)
                self.read(target.value)
            case cst.Subscript():
                self.change(target)
                self.children(target)
            case _:
                for child in parts(target):
                    self.bind(child)

    def call(self, node: cst.Call) -> None:
        """A method may change what it is called on, and any function what it is given."""
        function = node.func
        match function:
            case cst.Name(value):
                self.found.reads.add(value)
                harmless = value in UNCHANGING
            case cst.Attribute(value=cst.Name("self"), attr=cst.Name(name)):
                self.found.reads.add("self")
                self.found.attributes.add(name)
                self.found.changes |= {("self",)} if name in self.methods else set()
                harmless = False
            case cst.Attribute(value=base, attr=cst.Name(name)):
                self.found.attributes.add(name)
                self.chain(base)
                harmless = name in UNCHANGING
                (self.use if harmless else self.change)(base)
            case _:
                self.read(function)
                harmless = False
        for arg in node.args:
            self.read(arg.value)
            if not harmless:
                self.change(arg.value)

    def use(self, node: cst.CSTNode) -> None:
        self.found.uses |= self.path(node)

    def change(self, node: cst.CSTNode) -> None:
        self.found.changes |= self.path(node)
        self.found.uses |= self.path(node)

    def path(self, node: cst.CSTNode) -> set[Path]:
        """The dotted name of an object, without the index into it; none for modules and what has no name."""
        names: list[str] = []
        while isinstance(node, (cst.Attribute, cst.Subscript)):
            names += [node.attr.value] if isinstance(node, cst.Attribute) else []
            node = node.value
        if not isinstance(node, cst.Name) or node.value in self.imported:
            return set()
        return {(node.value, *reversed(names))}


class _Binder(_Reader):
    """A walk that notes what one scope binds, and stays out of the functions in it.

    first: the row of the first statement that binds a name. What is found outside of statements is bound from the beginning.
    """

    def __init__(self, row_of: Callable[[cst.CSTNode], int]) -> None:
        super().__init__(Effects(), frozenset(), frozenset())
        self.first: dict[str, int] = {}
        self._row_of = row_of

    def read(self, node: cst.CSTNode) -> None:
        if not isinstance(node, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
            return super().read(node)
        around, self.found = self.found, Effects()
        super().read(node)
        if self.found.binds:
            row = self._row_of(node)
            self.first |= {name: min(row, self.first.get(name, row)) for name in self.found.binds}
        self.found = around

    def inside(self, node: cst.CSTNode) -> None:
        pass
