"""A file as Python's own compiler accounts for it: what its module binds, and what a name in a function stands for."""

from __future__ import annotations

import ast
import re
import symtable
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from loopcheck.finding import Span
from loopcheck.read.front.source import Source
from loopcheck.read.front.syntax import tree
from loopcheck.read.stops.running import DEFINED, FUNCTION, Defined, ran
from loopcheck.read.text import SourceError

_STAR = re.compile(r"\bimport[\s\\]*\*")
_BIND_UNSEEN = {"exec", "execfile", "globals", "builtins", "__builtin__", "__builtins__", "__getattr__"}
"""Code that speaks of one of these may bind names that are written nowhere."""
_OF_PYTHON_2 = (
    "Missing parentheses",
    "multiple exception types",
    "leading zeros",
    "inconsistent use of tabs",
    "cannot be parenthesized",
)
"""What Python says of code that was right in Python 2."""
_MAGICS = ("%run", "%pylab", "%load", "%store", "%%capture", "%paste", "%cpaste", "%macro")
"""So may these of a notebook."""


@dataclass(eq=False)
class Written:
    """A file. whole: what is written in it is all that it binds. source: the file that is judged, for where a row is in it."""

    name: str
    file: Path | None
    text: str
    tree: ast.Module
    whole: bool = True
    source: Source | None = None
    _inner: dict[symtable.SymbolTable, dict[tuple[str, int], symtable.SymbolTable]] = field(default_factory=dict, repr=False)

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, source: Source) -> Written:
        """A file that is read; of a notebook, its cells as one module."""
        magics = source.notebook is not None and any(line.lstrip().startswith(_MAGICS) for line in source.lines)
        return cls(source.path, source.file, source.text, tree(source.text), not (source.problems or magics), source)

    @classmethod
    @lru_cache(maxsize=512)
    def at(cls, file: Path, text: str) -> Written | None:
        """A file that another one imports; None where it is no Python, of this version, of a newer one, or of Python 2."""
        try:
            return cls(file.name, file, text, tree(text))
        except SourceError as error:
            unknown = error.code != "syntax" or any(told in str(error) for told in _OF_PYTHON_2)
            return cls(file.name, file, "", ast.Module([], []), False) if unknown else None

    @cached_property
    def table(self) -> symtable.SymbolTable | None:
        """Python's account of its scopes; None of what is newer than this Python."""
        try:
            return symtable.symtable(self.text, self.name or "<text>", "exec")
        except SyntaxError:
            return None

    @cached_property
    def is_whole(self) -> bool:
        """Whether it binds no names but those that are written in it."""
        known = self.whole and "sys.modules" not in self.text and self.table is not None
        suspect = known and any(word in self.text for word in _BIND_UNSEEN)  # few files have one of them, and all are asked
        return known and not (suspect and any(_spoken(each) in _BIND_UNSEEN for each in ast.walk(self.tree)))

    @property
    def is_file(self) -> bool:
        """Whether it is a whole script or module: no piece of code, and no notebook."""
        return self.file is not None and not (self.source and self.source.notebook)

    @cached_property
    def bound(self) -> set[str]:
        """What its own statements bind, and what functions bind for it."""
        if self.table is None:
            return set()
        names = {each.get_name() for each in self.table.get_symbols() if _binds(each)}
        return names | {each.get_name() for each in self._declared if _binds(each)}

    @cached_property
    def shared(self) -> set[str]:
        """The names that a function says are the module's, `global total`: who works in a shell binds them there."""
        return {each.get_name() for each in self._declared}

    @property
    def _declared(self) -> Iterator[symtable.Symbol]:
        inner = [*self.table.get_children()] if self.table else []
        while inner:
            each = inner.pop()
            inner += each.get_children()
            yield from (symbol for symbol in each.get_symbols() if symbol.is_declared_global())

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """The modules of which it imports all that they bind."""
        if not _STAR.search(self.text):
            return ()
        froms = (each for each in ast.walk(self.tree) if isinstance(each, ast.ImportFrom) and each.names[0].name == "*")
        return tuple(dict.fromkeys(map(full_name, froms)))

    @cached_property
    def _binding(self) -> Mapping[str, list[ast.stmt]]:
        """The statements outside of all functions that bind each name."""
        found: dict[str, list[ast.stmt]] = {}
        for each in self.tree.body:
            for name in dict.fromkeys(_bound_in(each)):
                found.setdefault(name, []).append(each)
        return found

    @cached_property
    def begins_with(self) -> tuple[ast.Import | ast.ImportFrom, ...]:
        """What is imported whenever the module is."""
        return tuple(each.node for each in ran(self.tree.body) if isinstance(each.node, (ast.Import, ast.ImportFrom)))

    def only(self, name: str) -> ast.stmt | None:
        """The one statement outside of all functions that binds a name."""
        binding = self._binding.get(name, [])
        return binding[0] if len(binding) == 1 else None

    def is_outer(self, name: str, within: Sequence[Defined]) -> bool:
        """Whether a name that is read in a function stands for a variable of the module."""
        table = self._scope(within)
        try:
            return table is not None and (not within or table.lookup(name).is_global())
        except KeyError:
            return False  # of a comprehension

    def _scope(self, within: Sequence[Defined]) -> symtable.SymbolTable | None:
        """Python's account of the innermost of some functions and classes."""
        table = self.table
        for each in within:
            if table is None:
                return None
            if table not in self._inner:  # of a file with hundreds of functions, each is asked for in turn
                children = [(child.get_name(), child.get_lineno()) for child in table.get_children()]
                alone = Counter(children)
                own = zip(children, table.get_children(), strict=True)
                self._inner[table] = {place: child for place, child in own if alone[place] == 1}
            table = self._inner[table].get((each.name, each.lineno))
        return table

    def is_unbound(self, read: ast.Name, within: Sequence[Defined]) -> bool:
        """Whether a variable of a function is asked for before any statement binds it: Python raises UnboundLocalError."""
        function = within[-1] if within else None
        if not isinstance(function, FUNCTION) or (read.lineno, read.col_offset) >= _bound_from(function).get(read.id, (0, 0)):
            return False
        inner = self._scope(within)
        try:
            return inner is not None and inner.lookup(read.id).is_local() and not inner.lookup(read.id).is_parameter()
        except KeyError:
            return False  # of a comprehension

    def place(self, node: ast.AST) -> str:
        """Where a node is, for a person."""
        row: int = getattr(node, "lineno", 1)
        at = Span(self.name, row, 1, row, 1)
        at = self.source.place(at) if self.source else at
        return f"cell {at.cell}, row {at.row}" if at.cell else f"{Path(at.path).name}:{at.row}"


def forget() -> None:
    """Let go of every file that was looked at."""
    Written.of.cache_clear()
    Written.at.cache_clear()


def full_name(node: ast.ImportFrom) -> str:
    """The module that names are imported from, with its dots."""
    return "." * node.level + (node.module or "")


def inner_name(node: ast.ImportFrom, name: str) -> str:
    """What is imported, if that is a module."""
    module = full_name(node)
    return f"{module}{'' if module.endswith('.') else '.'}{name}"


@lru_cache(maxsize=256)
def _bound_from(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Mapping[str, tuple[int, int]]:
    """From where on each name that a function binds may be bound: the end of the first statement that does so by its end, or the
    beginning of another one."""
    found: dict[str, tuple[int, int]] = {}

    def visit(node: ast.AST, end: tuple[int, int] | None) -> None:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            end = node.end_lineno or node.lineno, node.end_col_offset or 0
        elif isinstance(node, ast.NamedExpr):
            end = None
        at = end or (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))
        for name in _binds_itself(node):
            found[name] = min(found.get(name, at), at)
        if not isinstance(node, (*DEFINED, ast.Lambda)):
            for each in ast.iter_child_nodes(node):
                visit(each, end)

    for each in function.body:
        visit(each, None)
    return found


def _binds_itself(node: ast.AST) -> Iterator[str]:
    """The names that a node binds, if what is in it does not."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            yield name
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case _:
            pass


def _spoken(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) | ast.FunctionDef(name=name):
            return name
        case _:
            return ""


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace() or symbol.is_parameter()


def _bound_in(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module binds; of a function and a class, its own."""
    if isinstance(statement, DEFINED):
        yield statement.name
        return
    for each in ast.walk(statement):
        match each:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name
            case _:
                pass
