"""The files of a run: each is parsed at most once, and each program read at most once, whoever asks."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from loopcheck.read import triage
from loopcheck.read.program import Program, Reader
from loopcheck.read.project import Module, Project
from loopcheck.read.source import Source
from loopcheck.read.text import SourceError

MOST_CALLERS = 4
"""So many files that import a function are read for what surrounds its calls."""
FARTHEST_CALLER = 3
"""So far up they are followed: who calls the caller."""
LARGEST = 300_000
"""Bytes of a file that an import leads to; tables of data are longer."""


@lru_cache(maxsize=96)
def _parsed(path: str, data: bytes, file: Path | None) -> Source | SourceError:
    try:
        return Source.parse(path, data, file)
    except SourceError as error:
        return error


class Library:
    """Reads files and programs. instead: bytes to take for a file's, which are not on disk yet."""

    def __init__(self, instead: Mapping[Path, bytes] | None = None) -> None:
        self._bytes = dict(instead or {})
        self._harmless: dict[Path, bool] = {}
        self._worth: dict[tuple[Path, str], bool] = {}
        self._programs: dict[Path, Program] = {}
        self._projects: dict[Path, Project] = {}
        self._reading: list[Path] = []
        self._shown: dict[Path, str] = {}

    def source(self, path: str, data: bytes) -> Source:
        """A file that is to be judged, by the path to show. Raises SourceError where it is not Python."""
        file = Path(os.path.realpath(path)) if os.path.isfile(path) else None
        if file is not None:
            self._shown[file] = path
        return self._parse(path, data, file)

    def program(self, source: Source) -> Program:
        """What a file comes to. Raises RecursionError where its code is nested too deeply."""
        if source.file is None:
            return Reader(source, self).program()
        if source.file not in self._programs:
            self._reading.append(source.file)
            try:
                self._programs[source.file] = Reader(source, self).program()
            finally:
                self._reading.pop()
        return self._programs[source.file]

    def callers(self, file: Path, names: frozenset[str]) -> list[Program]:
        """The programs of the files that import these names of a file, and of those that call them in turn."""
        if len(self._reading) > FARTHEST_CALLER:
            return []
        found: list[Program] = []
        for each in self._project(file).importers(file, names)[:MOST_CALLERS]:
            source = self._read(each) if each not in self._reading else None
            try:
                program = self.program(source) if source else None
            except RecursionError:
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


def _shown(file: Path) -> str:
    """How a path is said that nobody named: from here, if it is below."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative


def _defines(data: bytes, name: str) -> bool:
    word = re.escape(name.encode())
    return re.search(rb"^(?:(?:async )?def|class) " + word + rb"\b|^" + word + rb"\s*[:=]", data, re.M) is not None
