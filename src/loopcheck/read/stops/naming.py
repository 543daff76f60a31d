"""What a name stands for in the files of a project, as far as their text tells: the module that an import means, the function or
class that is called.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from loopcheck.read.stops.running import DEFINED, FUNCTION, Defined
from loopcheck.read.stops.written import Written, full_name, inner_name
from loopcheck.read.stops.written import forget as forget_files


class Files(Hashable, Protocol):
    """The other files of a project. noted: what was asked for the program that is judged."""

    @property
    def noted(self) -> object: ...

    def namesakes(self, importer: Path, module: str) -> Sequence[str] | None:
        """The files that a file may mean by a module; none where the project should have it and has not, None where it may be
        somebody else's."""

    def within_reach(self, importer: Path, module: str) -> Sequence[str] | None:
        """The files that a file may mean by a module, if what holds them is put on the path; None where the project has none."""

    def importers(self, file: Path, name: str) -> Sequence[Path]:
        """The files that import a file and mention a name of it."""

    def is_unspoken(self, name: str, file: Path) -> bool:
        """Whether nothing in the project speaks of what a file defines under a name."""

    def is_idle(self, file: Path) -> bool:
        """Whether nothing in the project imports a file, or speaks of it."""

    def calling(self, method: str, file: Path) -> Sequence[Path]:
        """The files of the project that a file is in which call a method of this name."""

    def is_set(self, attribute: str, file: Path) -> bool:
        """Whether code of the project that a file is in may set an attribute of what is no object of its own."""

    def text(self, file: Path) -> str: ...


@dataclass(frozen=True)
class Called:
    """What is called, and the file that it is written in. within: the class of a method that is bound to an object."""

    written: Written
    definition: Defined
    within: tuple[Defined, ...] = ()

    @property
    def bound(self) -> bool:
        return bool(self.within)


class Names:
    """What was found out of the names of a project's files."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._others: dict[str, Written | None] = {}
        self._bound: dict[Written, set[str] | None] = {}

    def other(self, file: str) -> Written | None:
        """A file by its path; None where it is no Python."""
        if file not in self._others:
            self._others[file] = Written.at(Path(file), self._files.text(Path(file)))
        return self._others[file]

    def meant(self, written: Written, module: str) -> Written | None:
        """The only file that a file can mean by a module: the project's own, for it is that which is read."""
        files = self._files.within_reach(written.file, module) if written.file else None
        return self.other(files[0]) if files and len(files) == 1 else None

    def bound(self, written: Written) -> set[str] | None:
        """What a module binds; None where that is not known."""
        if written not in self._bound:
            self._bound[written] = self._all_bound(written, frozenset())
        return self._bound[written]

    def _all_bound(self, written: Written, importing: frozenset[Path | None]) -> set[str] | None:
        if not written.is_whole or written.file in importing:
            return None
        names = written.bound
        for module in written.stars:
            inner = self.meant(written, module)
            given = self._all_bound(inner, importing | {written.file}) if inner else None
            if given is None:
                return None
            names = names | given
        return names

    def called(self, written: Written, callee: ast.expr, within: Sequence[Defined]) -> Called | None:
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

    def _definition(self, written: Written, name: str, importing: frozenset[Path | None] = frozenset()) -> Called | None:
        """What defines a name in a module, there or in one that it imports it from."""
        statement = written.only(name) if written.is_whole else None
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return Called(written, statement)
            case ast.Assign(targets=[ast.Name()], value=ast.Name(id=other)) if other != name:
                return self._definition(written, other, importing)
            case _:
                pass
        if not written.is_whole or written.file in importing or (statement is None and name in written.bound):
            return None
        if isinstance(statement, ast.ImportFrom):
            inner = self.meant(written, full_name(statement))
            name = next(each.name for each in statement.names if (each.asname or each.name) == name)
        else:
            inner = None if statement else self._of_star(written, name)
        return self._definition(inner, name, importing | {written.file}) if inner else None

    def _of_star(self, written: Written, name: str) -> Written | None:
        """The module that gives a name with all that it binds, the last that does; None where one that is out of sight may."""
        for module in reversed(written.stars):
            inner = self.meant(written, module)
            names = self.bound(inner) if inner else None
            if names is None or name in names:
                return inner if names else None
        return None

    def _module(self, written: Written, name: str) -> Written | None:
        """The module that a name stands for."""
        found = _imported_as(written, name)
        return self.meant(written, found) if found else None

    def lacking(self, written: Written, asked: ast.Attribute, within: Sequence[Defined]) -> str:
        """The module of the project that has not what it is asked for, by its full name; empty where it has, or may have."""
        name = _module_name(written, asked.value, within)
        module = self.meant(written, name) if name else None
        names = self.bound(module) if module else None
        if not (name and written.file) or names is None or asked.attr in names or asked.attr.startswith("__"):
            return ""
        inner = self._files.namesakes(written.file, f"{name}{'' if name.endswith('.') else '.'}{asked.attr}")
        return name if inner == [] and not self._files.is_set(asked.attr, written.file) else ""


def _module_name(written: Written, node: ast.expr, within: Sequence[Defined]) -> str:
    """The full name of a module by which it may be imported; empty of what is no module."""
    match node:
        case ast.Name(id=name) if written.is_outer(name, within):
            return _imported_as(written, name)
        case ast.Attribute(value=base, attr=attr):
            outer = _module_name(written, base, within)
            return f"{outer}.{attr}" if outer else ""
        case _:
            return ""


def _imported_as(written: Written, name: str) -> str:
    """What a name was imported as, if that is a module."""
    match written.only(name):
        case ast.ImportFrom() as node:
            return inner_name(node, next(each.name for each in node.names if (each.asname or each.name) == name))
        case ast.Import(names=names):
            return next(each.name for each in names if (each.asname or each.name) == name)
        case _:
            return ""


def _method(written: Written, name: str, within: Sequence[Defined]) -> Called | None:
    """The method of an object by which it is called in another one; None where a class that inherits may have its own."""
    around = next((each for each in reversed(within) if isinstance(each, ast.ClassDef)), None)
    if around is None or any(not isinstance(each, ast.ClassDef) and around in each.body for each in within[:-2]):
        return None
    defined = [each for each in around.body if isinstance(each, DEFINED) and each.name == name]
    heirs = (base for each in ast.walk(written.tree) if isinstance(each, ast.ClassDef) for base in each.bases)
    if len(defined) != 1 or any(getattr(base, "id", getattr(base, "attr", "")) == around.name for base in heirs):
        return None
    return Called(written, defined[0], (around,)) if isinstance(defined[0], FUNCTION) else None


@lru_cache(maxsize=2)
def names_of(files: Files, noted: object) -> Names:
    """One for all findings of a file: what it asked of others, their verdicts depend on."""
    return Names(files)


def forget() -> None:
    """Let go of what was found out, and of every file that it was found out of."""
    names_of.cache_clear()
    forget_files()
