"""The files of a project: where an import leads, and who imports a file. Nothing is parsed here."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

MOST_FILES = 5000
"""A project of more files is not searched for those that import one of them."""

_TOPS = (
    ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "environment.yml"),
    ("README.md", "README.rst", "LICENSE"),
)
"""What stands at the top of a project, the surest first."""
_BESIDE = ("", "src", "lib")
"""Folders beside a script, or above it, that scripts put on their path."""
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|.+)|import[ \t]+(.+))", re.M)


@dataclass(frozen=True)
class Module:
    """A module or package. folder: where its submodules are; file: None of a folder without `__init__.py`."""

    name: str
    folder: Path
    file: Path | None

    def submodule(self, name: str) -> Module | None:
        return module_at(self.folder, name, f"{self.name}.{name}")


@cache
def module_at(folder: Path, name: str, full_name: str) -> Module | None:
    """The module or package of this name in a folder."""
    inner = folder / name
    for file in (inner / "__init__.py", folder / f"{name}.py"):
        if file.is_file():
            return Module(full_name, inner, file)
    return Module(full_name, inner, None) if any(name.endswith(".py") for name in _listed(inner)) else None


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


@dataclass(frozen=True)
class Project:
    """The folder that a file's imports may lead into."""

    root: Path

    @classmethod
    def of(cls, file: Path) -> Project:
        """The repository around a file, else the highest folder that looks like a project's, else its package's folder."""
        around = list(file.parents)[:-1]
        for folder in around:
            if (folder / ".git").exists():
                return cls(folder)
        home = Path.home()
        for names in _TOPS:
            tops = [folder for folder in around if folder != home and any((folder / name).is_file() for name in names)]
            if tops:
                return cls(tops[-1])
        return cls(next(folder for folder in around if not (folder / "__init__.py").is_file()))

    def locate(self, name: str, importer: Path) -> Module | None:
        """What `import name` leads to in a file of the project; leading dots count from its folder."""
        dots = len(name) - len(name.lstrip("."))
        if dots:
            folder = importer.parents[dots - 1] if dots <= len(importer.parents) else importer.parent
            return _inside(folder, name[dots:]) if name[dots:] else _package(folder)
        for folder in self._above(importer):
            for beside in _BESIDE:
                found = _inside(folder / beside, name)
                if found is not None and found.file != importer:
                    return found
        return None

    def _above(self, importer: Path) -> Iterator[Path]:
        """The folders that may be on the path when a file runs: from its own up; a package's inside is not."""
        folder = importer.parent
        while (folder / "__init__.py").is_file() and folder not in (self.root, folder.parent):
            folder = folder.parent
        while True:
            yield folder
            if folder == self.root or folder == folder.parent or self.root not in folder.parents:
                return
            folder = folder.parent

    def importers(self, file: Path, names: frozenset[str]) -> list[Path]:
        """The files that import a file, or a package around it that may hand on what is in it, and mention one of the names;
        the nearest first. A package's `__init__.py` calls nothing."""
        around = {file, *(folder / "__init__.py" for folder in file.parents if self.root in folder.parents)}
        stems = {file.stem, *(each.parent.name for each in around if each.name == "__init__.py")}
        found = [
            importer
            for importer, imported in self._imports.items()
            if importer != file
            and importer.name != "__init__.py"
            and any(self._leads(name, importer, stems, around) for name in imported)
        ]
        words = re.compile(rb"\b(?:" + b"|".join(re.escape(name.encode()) for name in sorted(names)) + rb")\b")
        found = [each for each in found if words.search(each.read_bytes())]
        return sorted(found, key=lambda each: (len(os.path.relpath(each.parent, file.parent).split(os.sep)), each))

    def _leads(self, name: str, importer: Path, stems: set[str], around: set[Path]) -> bool:
        if not name.strip(".") or name.rpartition(".")[2] in stems:
            found = self.locate(name, importer)
            return found is not None and found.file in around
        return False

    @cached_property
    def _imports(self) -> dict[Path, frozenset[str]]:
        """What each file of the project imports, modules and names of modules alike."""
        found: dict[Path, frozenset[str]] = {}
        for file in self.files:
            try:
                text = file.read_bytes().decode(errors="replace")
            except OSError:
                continue
            found[file] = frozenset(imported_names(text))
        return found

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The project's Python files, tests, hidden and generated folders left out; none where there are too many."""
        found: list[Path] = []
        for folder, inner, names in os.walk(self.root):
            inner[:] = [name for name in inner if not name.startswith((".", "__")) and name not in _ELSEWHERE]
            inner[:] = [name for name in inner if not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))]
            found += [Path(folder, name) for name in names if name.endswith(".py") and not name.startswith("test_")]
            if len(found) > MOST_FILES:
                return ()
        return tuple(found)


_ELSEWHERE = {"site-packages", "node_modules", "build", "dist", "tests"}


def imported_names(code: str) -> list[str]:
    """The modules that code imports, and what it imports from them, by their full names."""
    statements = _IMPORT.findall(code)
    names = [name for module, inner, _ in statements if module for name in [module, *_inner(module, inner)]]
    return [*names, *(name for module, _, tops in statements if not module for name in _names(tops))]


def _inside(folder: Path, name: str) -> Module | None:
    """A dotted name, from a folder."""
    first, *rest = name.split(".")
    found = module_at(folder, first, first)
    for part in rest:
        found = found.submodule(part) if found else None
    return found


def _package(folder: Path) -> Module:
    file = folder / "__init__.py"
    return Module(folder.name, folder, file if file.is_file() else None)


def _inner(module: str, names: str) -> list[str]:
    joint = "" if module.endswith(".") else "."
    return [f"{module}{joint}{name}" for name in _names(names.strip("()"))]


def _names(listed: str) -> list[str]:
    parts = re.sub(r"#.*", "", listed).replace("\\\n", " ").split(",")
    return [words[0] for part in parts if (words := part.split()) and re.fullmatch(r"[.\w]+", words[0])]
