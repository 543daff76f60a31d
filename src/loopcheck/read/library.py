"""The files of a run: each is parsed at most once, and each program read at most once, whoever asks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from loopcheck.read import triage
from loopcheck.read.project import Module, Project
from loopcheck.read.text import SourceError

if TYPE_CHECKING:  # the parser is loaded when there is something to parse
    from loopcheck.read.program import Program
    from loopcheck.read.front.source import Source

MOST_CALLERS = 3
"""So many files that import a function are read for what surrounds its calls."""
FARTHEST_CALLER = 2
"""So far up they are followed: who calls the caller."""
LARGEST = 300_000
"""Bytes of a file that another one leads to; tables of data are longer."""
MOST_KEPT = 300
"""Programs in memory; of a project of more files some are read again."""


@lru_cache(maxsize=96)
def _parsed(path: str, data: bytes, file: Path | None) -> Source | SourceError:
    from loopcheck.read.front.source import Source

    try:
        return Source.parse(path, data, file)
    except SourceError as error:
        return error


class Library:
    """Reads files and programs. asked: the files that are to be judged, by the paths to show them under."""

    def __init__(self, asked: Iterable[Path] = ()) -> None:
        self._shown: dict[Path, str] = {}
        for path in asked:
            self._shown.setdefault(_real(path), str(path))
        self._bytes: dict[Path, bytes] = {}
        self._projects: dict[Path, Project] = {}
        self._forget()

    def _forget(self) -> None:
        self._harmless: dict[Path, bool] = {}
        self._worth: dict[tuple[Path, str], bool] = {}
        self._programs: dict[Path, Program] = {}
        self._partial: dict[Path, Program] = {}
        self._reading: list[Path] = []
        self._limited: set[Path] = set()

    def holding(self, path: str, data: bytes) -> Library:
        """This library; where it knows other bytes of the file, a copy in which the file holds these."""
        file = _real(path)
        if not file.is_file() or self._bytes.setdefault(file, data) == data:
            return self
        other = copy(self)
        other._bytes = {**self._bytes, file: data}
        other._forget()
        return other

    def source(self, path: str, data: bytes) -> Source:
        """A file that is to be judged, by the path to show. Raises SourceError where it is not Python."""
        file = _real(path)
        if not file.is_file():
            return self._parse(path, data, None)
        return self._parse(self._shown.setdefault(file, path), data, file)

    def program(self, source: Source) -> Program:
        """What a file comes to; what is nested too deeply to be read with its project is read alone.

        Raises RecursionError where its own code is.
        """
        try:
            return self._program(source)
        except RecursionError:
            return alone(source)
        finally:
            self._partial.clear()
            self._limited.clear()

    def _program(self, source: Source) -> Program:
        """A program that others call functions of is whole when it is asked for itself; read on the way to another one, it may
        lack callers, and is not kept for longer than that."""
        from loopcheck.read.program import Reader

        file = source.file
        if file is None:
            return Reader(source, self).program()
        if file in self._programs:
            return self._programs[file]
        if file in self._partial:
            self._limited.update(self._reading[1:])
            return self._partial[file]
        self._reading.append(file)
        try:
            program = Reader(source, self).program()
        finally:
            self._reading.pop()
        (self._partial if file in self._limited else self._programs)[file] = program
        if len(self._programs) > MOST_KEPT:
            del self._programs[next(iter(self._programs))]
        return program

    def callers(self, file: Path, names: frozenset[str]) -> list[Program]:
        """The programs of the files that import these names of a file, and of those that call them in turn."""
        if len(self._reading) > FARTHEST_CALLER:
            self._limited.update(self._reading[1:])
            return []
        found: list[Program] = []
        for each in self._project(file).importers(file, names)[:MOST_CALLERS]:
            if each in self._reading:
                self._limited.update(self._reading[self._reading.index(each) + 1 :])
                continue
            source = self._read(each) if len(self._data(each)) <= LARGEST else None
            try:
                program = self._program(source) if source else None
            except RecursionError:
                self._limited.update(self._reading[1:])
                continue
            found += [program, *program.callers] if program else []
        return found

    # what a reader asks of other files

    def locate(self, name: str, importer: Path) -> Module | None:
        return self._project(importer).locate(name, importer)

    def follow(self, file: Path, name: str) -> Source | None:
        if (file, name) not in self._worth:
            data = self._data(file)
            handed_on = file.name == "__init__.py" or not _defines(data, name)
            self._worth[file, name] = len(data) <= LARGEST and (handed_on or triage.worth_following(data))
        return self._read(file) if self._worth[file, name] else None

    def text(self, file: Path) -> str:
        return self._data(file).decode(errors="replace")

    def harmless(self, file: Path) -> bool:
        if file not in self._harmless:
            data = self._data(file)
            self._harmless[file] = bool(data) and not triage.worth_reading(data)
        return self._harmless[file]

    def _data(self, file: Path) -> bytes:
        if file not in self._bytes:
            try:
                self._bytes[file] = file.read_bytes()
            except OSError:
                self._bytes[file] = b""
        return self._bytes[file]

    def _read(self, file: Path) -> Source | None:
        try:
            return self._parse(self._shown.get(file) or _shown(file), self._data(file), file)
        except SourceError:
            return None

    def _parse(self, path: str, data: bytes, file: Path | None) -> Source:
        source = _parsed(path, data, file)
        if isinstance(source, SourceError):
            raise source
        return source

    def _project(self, file: Path) -> Project:
        if file.parent not in self._projects:
            project = Project.of(file)
            self._projects[file.parent] = next((each for each in self._projects.values() if each == project), project)
        return self._projects[file.parent]


def alone(source: Source) -> Program:
    """What a file comes to without its project, which makes it nested too deeply. Raises RecursionError where its own code is."""
    from loopcheck.read.program import Reader

    program = Reader(source).program()
    return replace(program, cut=(*program.cut, "what it imports and who calls it: the code is nested too deeply"))


def _real(path: Path | str) -> Path:
    return Path(os.path.realpath(path))


def _shown(file: Path) -> str:
    """How a path is said that nobody named: from here, if it is below."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative


def _defines(data: bytes, name: str) -> bool:
    word = re.escape(name.encode())
    return re.search(rb"^(?:(?:async )?def|class) " + word + rb"\b|^" + word + rb"\s*[:=]", data, re.M) is not None
