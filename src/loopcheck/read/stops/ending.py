"""Why a run ends with an error before it comes to a place: what is found there happens to nobody."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from loopcheck.read.front.source import Entered, Site, Source
from loopcheck.read.stops.calls import refuses, runs_at_once
from loopcheck.read.stops.options import Parser, Scope, parser_of
from loopcheck.read.stops.running import DEFINED, FUNCTION, Defined, Ran, before, call_at, parts, ran
from loopcheck.read.stops.written import Written, full_name, inner_name
from loopcheck.read.stops.written import forget as forget_files
from loopcheck.read.vocabulary import packages

DEEPEST = 3
"""So many functions of the project, each called by the one before, are looked into for what ends the run in them."""
MOST_MODULES = 60
"""So many modules are looked at for what they import in turn."""


class Files(Hashable, Protocol):
    """The other files of a project. noted: what was asked for the program that is judged."""

    @property
    def noted(self) -> object: ...

    def namesakes(self, importer: Path, module: str) -> Sequence[str] | None:
        """The files that a file may mean by a module; none where the project should have it and has not, None where it may be
        somebody else's."""

    def importers(self, file: Path, name: str) -> Sequence[Path]:
        """The files that import a file and mention a name of it."""

    def is_unspoken(self, name: str, file: Path) -> bool:
        """Whether nothing in the project speaks of what a file defines under a name."""

    def is_idle(self, file: Path) -> bool:
        """Whether nothing in the project imports a file, or speaks of it."""

    def is_set(self, attribute: str, file: Path) -> bool:
        """Whether code of the project that a file is in may set an attribute of what is no object of its own."""

    def text(self, file: Path) -> str: ...


def ends_before(sites: Iterable[Site], files: Files) -> str:
    """Why a run ends before it comes to all of these places, in a clause; empty where nothing tells.

    Where a name may have come from out of sight, nothing is said of it. Nor of one that nothing binds: who shows a piece of code
    leaves out what it is given.
    """
    try:
        return _found(sites, _reader(files, files.noted))
    except RecursionError:  # of code that is nested deeply
        return ""


def _found(sites: Iterable[Site], reader: _Reader) -> str:
    ways: dict[Source, dict[tuple[int, ...], bool]] = {}
    for site in sites:
        for each in (*site.calls, site):
            if isinstance(each, (Entered, Site)) and each.source.path:
                ways.setdefault(each.source, {})[each.node.span] = isinstance(each, Entered)
    for source, places in ways.items():
        written = Written.of(source)
        for place, entered in places.items():
            call = call_at(written.tree, place) if entered else None
            for statement, head in before(written.tree.body, place[0]):
                if told := reader.reason(written, statement, head):
                    return told
            if call and (told := next(reader.reasons(written, [call], DEEPEST), "")):
                return told
    return ""


@lru_cache(maxsize=2)
def _reader(files: Files, noted: object) -> _Reader:
    """One for all findings of a file: what it asked of others, their verdicts depend on."""
    return _Reader(files)


def forget() -> None:
    """Let go of what was found out, and of every file that it was found out of."""
    _reader.cache_clear()
    forget_files()


def unread_caller(sites: Iterable[Site], files: Files) -> str:
    """A file that is no Python and speaks of the code from which a place is reached: it may call that; empty where there is none.

    Of a place that is reached from a statement of a module, all is in sight.
    """
    reader = _reader(files, files.noted)
    for site in sites:
        top = next((each for each in (*site.calls, site) if isinstance(each, (Entered, Site))), site)
        name = _outermost(Written.of(top.source).tree.body, top.node.span[0])
        for file in files.importers(top.source.file, name) if name and top.source.file else ():
            if reader.other(str(file)) is None:
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


def _runs_something(module: ast.Module) -> bool:
    """Whether a file does anything when it is run, but to define and to import."""
    idle = (*DEFINED, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Pass)
    told = (each for each in module.body if not isinstance(each, idle))
    return any(not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)) for each in told)


def _around(body: Iterable[ast.stmt], row: int) -> list[Defined]:
    """The function or class of a module that a row is in, and the method, of a class that inherits from none that may call it."""
    for each in body:
        if isinstance(each, DEFINED) and each.lineno <= row <= (each.end_lineno or row):
            inner = isinstance(each, ast.ClassDef) and all(map(_calls_nothing, each.bases)) and not each.keywords
            return [each, *(_around(each.body, row) if isinstance(each, ast.ClassDef) and inner else [])]
    return []


def _calls_nothing(base: ast.expr) -> bool:
    """Whether a base class calls no methods of those that inherit from it, but `forward` and the ones that Python itself does."""
    return getattr(base, "attr", getattr(base, "id", "")) in ("object", "Module")


def _outermost(body: Iterable[ast.stmt], row: int) -> str:
    """The function or class of a module that a row is in."""
    return next((each.name for each in _around(body, row)), "")


@dataclass(frozen=True)
class _Called:
    """What is called, and the file that it is written in. within: the class of a method that is bound to an object."""

    written: Written
    definition: Defined
    within: tuple[Defined, ...] = ()

    @property
    def bound(self) -> bool:
        return bool(self.within)


def _method(written: Written, name: str, within: Sequence[Defined]) -> _Called | None:
    """The method of an object by which it is called in another one; None where a class that inherits may have its own."""
    around = next((each for each in reversed(within) if isinstance(each, ast.ClassDef)), None)
    if around is None or any(not isinstance(each, ast.ClassDef) and around in each.body for each in within[:-2]):
        return None
    defined = [each for each in around.body if isinstance(each, DEFINED) and each.name == name]
    heirs = (base for each in ast.walk(written.tree) if isinstance(each, ast.ClassDef) for base in each.bases)
    if len(defined) != 1 or any(getattr(base, "id", getattr(base, "attr", "")) == around.name for base in heirs):
        return None
    return _Called(written, defined[0], (around,)) if isinstance(defined[0], FUNCTION) else None


class _Reader:
    """What of a project's files was looked at."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._others: dict[str, Written | None] = {}
        self._imported: set[str] = set()
        self._reasons: dict[tuple[ast.AST, bool], str] = {}
        self._inside: dict[ast.AST, str] = {}
        self._scopes: dict[int, Scope] = {}

    def reason(self, written: Written, statement: Ran, head: bool) -> str:
        """Why the run ends with a statement, or with its head; found out once for all that comes after it."""
        key = statement.node, head
        if key not in self._reasons:
            self._reasons[key] = next(self.reasons(written, parts(statement, head)), "")
        return self._reasons[key]

    def reasons(self, written: Written, way: Iterable[Ran], deep: int = 0) -> Iterator[str]:
        """What ends the run on a way through a file. deep: so many functions lie between."""
        for each in way:
            yield from self._not_found(written, each.node)
            yield from self._refused(written, each, deep)
            yield from self._either_way(written, each, deep)
            yield from self._no_option(written, each)

    def _either_way(self, written: Written, test: Ran, deep: int) -> Iterator[str]:
        """What ends the run in one arm of a test, where something does in the other one as well."""
        if isinstance(test.node, ast.If):
            arms = (ran(arm, test.within) for arm in (test.node.body, test.node.orelse))
            found = [next(self.reasons(written, arm, deep), "") for arm in arms]
            yield from found[:1] if all(found) else ()

    # names

    def other(self, file: str) -> Written | None:
        """A file by its path; None where it is no Python."""
        if file not in self._others:
            self._others[file] = Written.at(Path(file), self._files.text(Path(file)))
        return self._others[file]

    def _meant(self, written: Written, module: str) -> Written | None:
        """The only file that a file can mean by a module."""
        files = self._files.namesakes(written.file, module) if written.file else None
        return self.other(files[0]) if files and len(files) == 1 else None

    def _names(self, written: Written, importing: frozenset[Path | None] = frozenset()) -> set[str] | None:
        """What a module binds; None where that is not known."""
        if not written.is_whole or written.file in importing:
            return None
        names = written.bound
        for module in written.stars:
            inner = self._meant(written, module)
            given = self._names(inner, importing | {written.file}) if inner else None
            if given is None:
                return None
            names = names | given
        return names

    # imports

    def _not_found(self, written: Written, node: ast.AST) -> Iterator[str]:
        """What an import does not find, itself or in what it imports."""
        if written.file is None or not isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        for module in [each.name for each in node.names] if isinstance(node, ast.Import) else [full_name(node)]:
            if module.partition(".")[0] in packages():
                continue  # whoever has a file of its name has the library as well
            files = self._files.namesakes(written.file, module)
            if files == []:
                yield f"`{module}`, which {written.place(node)} imports, is not in the project"
            found = [(file, self.other(file)) for file in files or ()]
            if isinstance(node, ast.ImportFrom) and any(other is not None for _, other in found):
                yield from self._without_name(written, node, [other for _, other in found])
            for file, other in found if len(found) == 1 else ():
                yield from self._in_turn(file, other)

    def _without_name(self, written: Written, node: ast.ImportFrom, found: Sequence[Written | None]) -> Iterator[str]:
        """The names that are in none of the files from which they may be imported."""
        known = [self._names(each) if each else set() for each in found]
        for name in (each.name for each in node.names if each.name != "*"):
            lacking = all(names is not None and name not in names for names in known)
            if written.file and lacking and self._files.namesakes(written.file, inner_name(node, name)) == []:
                yield f"`{name}`, which {written.place(node)} imports, is not in `{full_name(node)}`"

    def _in_turn(self, file: str, module: Written | None) -> Iterator[str]:
        if module and file not in self._imported and len(self._imported) < MOST_MODULES:
            self._imported.add(file)
            for each in module.begins_with:
                yield from self._not_found(module, each)

    # options

    def _no_option(self, written: Written, asked: Ran) -> Iterator[str]:
        """An option that is asked for and that no parser has, or that a parser is given twice."""
        match asked.node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if not attr.startswith("_"):
                found = self._parsed(written, name, asked.within)
                lacking = found is not None and found.names is not None and attr not in found.names
                if lacking and written.file and not self._files.is_set(attr, written.file):
                    yield f"`{name}.{attr}`, which {written.place(asked.node)} asks for, is no option of its parser"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="add_argument")) as call:
                found = self._scope(written, name, asked.within).parser(name)
                if found and found.twice and found.twice[1] is call:
                    yield f"`{found.twice[0]}` is given to the parser twice, in {written.place(call)}"
            case _:
                pass

    def _parsed(self, written: Written, name: str, within: Sequence[Defined]) -> Parser | None:
        """The parser whose options a name stands for, as its own scope or a function of the project has parsed them."""
        scope = self._scope(written, name, within)
        value = scope.value(name)
        if not isinstance(value, ast.Call):
            return None
        if of := parser_of(value):
            return scope.parser(of)
        made = self._called(written, value.func, () if scope.body is written.tree.body else within)
        if made is None or not (isinstance(made.definition, ast.FunctionDef) and runs_at_once(made.definition)):
            return None
        inner = self._of(made.definition.body)
        parsed = inner.returned()
        return inner.parser(parser_of(parsed)) if parsed else None

    def _scope(self, written: Written, name: str, within: Sequence[Defined]) -> Scope:
        """The scope that a name is bound in: that of the module, or of the function around."""
        return self._of(within[-1].body if within and not written.is_outer(name, within) else written.tree.body)

    def _of(self, body: Sequence[ast.stmt]) -> Scope:
        if id(body) not in self._scopes:
            self._scopes[id(body)] = Scope(body)
        return self._scopes[id(body)]

    # calls

    def _refused(self, written: Written, called: Ran, deep: int) -> Iterator[str]:
        """What a function of the project is called with that it does not take, and what ends the run in one that takes it."""
        if not isinstance(call := called.node, ast.Call):
            return
        found = self._called(written, call.func, called.within)
        if found is None:
            return
        if why := refuses(found.definition, call, found.bound):
            yield f"`{found.definition.name}` {why}, in {written.place(call)}"
        elif deep < DEEPEST and (within := runs_at_once(found.definition)):
            if within[-1] not in self._inside:
                self._inside[within[-1]] = ""  # one that calls itself
                way = ran(within[-1].body, (*found.within, *within))
                self._inside[within[-1]] = next(self.reasons(found.written, way, deep + 1), "")
            yield from filter(None, [self._inside[within[-1]]])

    def _called(self, written: Written, callee: ast.expr, within: Sequence[Defined]) -> _Called | None:
        """The function or class that is called by its name, by that of its module, or as a method of the object that calls it."""
        match callee:
            case ast.Name(id=name) if written.is_outer(name, within):
                return self._definition(written, name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                return _method(written, name, within)
            case ast.Attribute(value=ast.Name(id=base), attr=name) if written.is_outer(base, within):
                module = self._module(written, base)
                return self._definition(module, name) if module else None
            case _:
                return None

    def _definition(self, written: Written, name: str, importing: frozenset[Path | None] = frozenset()) -> _Called | None:
        """What defines a name in a module, there or in one that it imports it from."""
        statement = written.only(name) if written.is_whole else None
        if isinstance(statement, DEFINED):
            return _Called(written, statement)
        if not written.is_whole or written.file in importing or (statement is None and name in written.bound):
            return None
        if isinstance(statement, ast.ImportFrom):
            inner = self._meant(written, full_name(statement))
            name = next(each.name for each in statement.names if (each.asname or each.name) == name)
        else:
            inner = None if statement else self._of_star(written, name)
        return self._definition(inner, name, importing | {written.file}) if inner else None

    def _of_star(self, written: Written, name: str) -> Written | None:
        """The module that gives a name with all that it binds, the last that does; None where one that is out of sight may."""
        for module in reversed(written.stars):
            inner = self._meant(written, module)
            names = self._names(inner) if inner else None
            if names is None or name in names:
                return inner if names else None
        return None

    def _module(self, written: Written, name: str) -> Written | None:
        """The module that a name stands for."""
        match written.only(name):
            case ast.ImportFrom() as node:
                given = next(each.name for each in node.names if (each.asname or each.name) == name)
                return self._meant(written, inner_name(node, given))
            case ast.Import(names=names):
                return self._meant(written, next(each.name for each in names if (each.asname or each.name) == name))
            case _:
                return None
