"""The files of a project: where an import leads, what is imported in turn, and who imports a file. Nothing is parsed here."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from loopcheck.cache import Cache, digest
from loopcheck.disk import Disk
from loopcheck.read import glance

MOST_FILES = 5000
"""A project of more files is not searched for those that import one of them."""

_TOPS = (
    ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "environment.yml"),
    ("README.md", "README.rst", "LICENSE"),
)
"""What stands at the top of a project, the surest first."""
_BESIDE = ("", "src", "lib")
"""Folders beside a script, or above it, that scripts put on their path."""
_INSTALLED = re.compile(
    r"""
    \bpackage[_-]dir["']?\s*[=:]\s*(?:dict\(|\{)\s*["']{2}\s*[:=]\s*["']([^"'\n]+)["']  # of setup.py, or pyproject.toml
    | ^package_dir\s*=\s*=\s*(\S+)  # of setup.cfg
    | ^\[tool\.setuptools\.package-dir\]\s*["']{2}\s*=\s*["']([^"'\n]+)["']
    | ^where\s*=\s*\[\s*["']([^"'\n]+)["']
    """,
    re.M | re.X,
)
"""Where what a project installs stands in it, in so many words."""
_INSTALLERS = ("setup.py", "setup.cfg", "pyproject.toml")
_MADE = re.compile(r"version|_pb2")
"""Modules that are made when a project is built."""
_BUILDERS = ("setup.py", "pyproject.toml", "CMakeLists.txt", "meson.build")
_BUILDS = re.compile(r"ext_modules|Extension\(|cythonize|pybind11|maturin|scikit[-_]build|py_module\(|py\.extension_module")
"""What builds modules that are no Python, by a word of it."""
_OPENS = (b"__getattr__", b"__path__", b"sys.modules")
"""With one of these a package may have modules that no file is of."""


@dataclass(frozen=True)
class Module:
    """A module or package. folder: where its submodules are; file: None of a folder without `__init__.py`.

    finds: who is asked for a submodule, so that the question does not go unnoticed.
    """

    name: str
    folder: Path
    file: Path | None
    finds: Callable[[Path, str, str], Module | None] = field(compare=False, repr=False)

    def submodule(self, name: str) -> Module | None:
        return self.finds(self.folder, name, f"{self.name}.{name}")


def outside_package(file: Path) -> Path:
    """The folder that holds the package which a file is in, or the file itself where it is in none."""
    return next(folder for folder in file.parents if not (folder / "__init__.py").is_file())


def module_at(folder: Path, name: str, full_name: str) -> Module | None:
    """The module or package of this name in a folder."""
    inner = folder / name
    for file in (inner / "__init__.py", folder / f"{name}.py"):
        if file.is_file():
            return Module(full_name, inner, file, module_at)
    return Module(full_name, inner, None, module_at) if any(name.endswith(".py") for name in _listed(inner)) else None


def _listed(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


@dataclass(frozen=True)
class Project:
    """The folder that a file's imports may lead into. disk: where its files are read. cache: what earlier runs read in them."""

    root: Path
    disk: Disk = field(default_factory=Disk, compare=False, repr=False)
    cache: Cache = field(default_factory=Cache, compare=False, repr=False)
    _modules: dict[tuple[Path, str, str], Module | None] = field(default_factory=dict, compare=False, repr=False)
    _paths: dict[Path, tuple[Path, ...]] = field(default_factory=dict, compare=False, repr=False)
    _installs: dict[Path, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)
    _own_paths: dict[Path, tuple[Path, ...]] = field(default_factory=dict, compare=False, repr=False)
    _relied: dict[Path, tuple[Path, ...]] = field(default_factory=dict, compare=False, repr=False)
    _scripts: dict[Path, bool] = field(default_factory=dict, compare=False, repr=False)
    _imported: dict[Path, tuple[Path, ...]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, file: Path, disk: Disk, cache: Cache, asked: Path | None = None) -> Project:
        """The repository around a file, else the highest folder that looks like a project's, else the folder that was asked
        about, else its package's folder.

        asked: what holds all files that are to be judged, where there are several.
        """
        around = list(file.parents)[:-1]
        for folder in around:
            if (folder / ".git").exists():
                return cls(folder, disk, cache)
        home = Path.home()
        for names in _TOPS:
            tops = [folder for folder in around if folder != home and any((folder / name).is_file() for name in names)]
            if tops:
                return cls(tops[-1], disk, cache)
        if asked in around:
            return cls(asked, disk, cache)
        return cls(outside_package(file), disk, cache)

    def locate(self, name: str, importer: Path) -> Module | None:
        """What `import name` leads to in a file of the project; leading dots count from its folder."""
        dots = len(name) - len(name.lstrip("."))
        if dots:
            folder = importer.parents[dots - 1] if dots <= len(importer.parents) else importer.parent
            return self._inside(folder, name[dots:]) if name[dots:] else _package(folder)
        for folder in (*self._path(importer.parent), *self._appended(importer)):
            found = self._inside(folder, name)
            if found is not None and found.file != importer:
                return found
        for folder in self._packages(importer.parent):
            found = self._inside(folder, name)
            if found is not None and found.file != importer and self._is_script(importer):
                return found
        return None

    def namesakes(self, name: str, importer: Path) -> list[Path] | None:
        """The files that `import name` may lead to in a file, wherever that is run from.

        None of them where the project has the package and not the module; None where that may be somebody else's, or is made when
        the project is built.
        """
        found = self.locate(name, importer)
        relative, top = name.startswith("."), name.partition(".")[0]
        folders = (self._surely(importer), *self._appended(importer), *self._relied_on(importer))
        surely = [self._inside(folder, top) for folder in folders]
        if not relative and (top in sys.stdlib_module_names or not any(surely)):
            return [] if top not in sys.stdlib_module_names and self._is_misspelled(top, importer) else None
        if found is not None:
            return self._ways_to(found, name, importer)
        parts = name.lstrip(".").split(".")
        outer = name.removesuffix(parts[-1]).rstrip(".") if len(parts) > 1 else name.removesuffix(parts[-1])
        around = self.locate(outer, importer) if outer else None
        if around is None:
            return [] if outer.strip(".") and self.namesakes(outer, importer) == [] else None
        return [] if self._lacks(around, parts[-1]) and (relative or around.file or self._is_own(outer, importer)) else None

    def within_reach(self, name: str, importer: Path) -> list[Path] | None:
        """The files that `import name` may lead to in a file, if what holds them is put on the path; None of Python's own modules
        and of those that the project has not."""
        found = None if name.partition(".")[0] in sys.stdlib_module_names else self.locate(name, importer)
        return self._ways_to(found, name, importer) if found else None

    def _ways_to(self, found: Module, name: str, importer: Path) -> list[Path] | None:
        """The file of a module, and those that have its name in other folders; None of a folder."""
        paths = [*self._path(importer.parent), *self._appended(importer), *self._packages(importer.parent)]
        modules = (self._inside(folder, name) for folder in (() if name.startswith(".") else paths))
        ways = [module.file for module in modules if module and module.file != importer]
        return list(dict.fromkeys(file for file in (found.file, *ways) if file)) if found.file else None

    def _is_misspelled(self, name: str, importer: Path) -> bool:
        """Whether a file imports what stands beside it under a name of other capitals, `from Blocks` of `blocks.py`: Python tells
        those apart on every system (PEP 235)."""
        names = {entry.removesuffix(".py") for entry in _listed(self._surely(importer)) if entry.endswith(".py")}
        return self.locate(name, importer) is None and name not in names and name.lower() in map(str.lower, names)

    def _surely(self, importer: Path) -> Path:
        """The folder that is on the path when a file runs: a script's own, or the one that holds the package it is a part of."""
        folder = importer.parent
        while (folder / "__init__.py").is_file() and folder not in (self.root, folder.parent):
            folder = folder.parent
        return folder

    def _relied_on(self, importer: Path) -> tuple[Path, ...]:
        """The folders that have to be on the path for a file to run: by them it imports what stands beside it, `from lab.nets` in
        `lab/train.py`."""
        if importer not in self._relied:
            self._relied[importer] = tuple(self._relied_by(importer))
        return self._relied[importer]

    def _relied_by(self, importer: Path) -> Iterator[Path]:
        own = f"{importer.parent.name}."
        names = [each for each in glance.imported(self.disk.glance(importer)) if each.startswith(own)]
        for folder in self._path(importer.parent) if names else ():
            beside = (self._inside(folder, name) for name in names)
            if any(each.file.parent == importer.parent for each in beside if each and each.file):
                yield folder

    def _lacks(self, package: Module, name: str) -> bool:
        """Whether a package has no module of this name, in Python or in anything else, and nothing will make one."""
        if package.file and package.file.name != "__init__.py":
            return True
        told = self.disk.glance(package.file) if package.file else b""
        beside = {entry.partition(".")[0] for entry in _listed(package.folder)}
        around = [package.folder, *package.folder.parents]
        tops = around[: around.index(self.root) + 1] if self.root in around else [package.folder]
        made = any(_BUILDS.search(self._text(folder / name)) for folder in tops for name in _BUILDERS)
        kept_out = any(name in self._text(self.root / each) for each in (".gitmodules", ".gitignore"))
        return not (name in beside or made or kept_out or _MADE.search(name) or any(word in told for word in _OPENS))

    def _text(self, file: Path) -> str:
        """What a file says; nothing where there is none."""
        return self.disk.glance(file).decode(errors="replace") if file.is_file() else ""

    def _is_own(self, folder: str, importer: Path) -> bool:
        """Whether a file imports other modules from a folder without `__init__.py`, so that no installed package is meant."""
        names = glance.imported(self.disk.glance(importer))
        inner = [self.locate(name, importer) for name in names if name.startswith(f"{folder}.")]
        return any(each is not None and each.file for each in inner)

    def _packages(self, folder: Path) -> Iterator[Path]:
        """The packages that a folder is in, from the inside out: on the path of a script that stands in one."""
        while folder != self.root and (folder / "__init__.py").is_file():
            yield folder
            folder = folder.parent

    def _is_script(self, file: Path) -> bool:
        """Whether a file can be run by itself, which one with relative imports cannot."""
        if file not in self._scripts:
            names = glance.imported(self.disk.glance(file))
            self._scripts[file] = not any(name.startswith(".") for name in names)
        return self._scripts[file]

    def _inside(self, folder: Path, name: str) -> Module | None:
        """A dotted name, from a folder; on the way to a module lie folders that hold nothing but folders."""
        *outer, last = name.split(".")
        full_name = ""
        for part in outer:
            full_name = f"{full_name}.{part}" if full_name else part
            found = self._module_at(folder, part, full_name)
            folder = found.folder if found else folder / part
        return self._module_at(folder, last, name)

    def _module_at(self, folder: Path, name: str, full_name: str) -> Module | None:
        place = folder, name, full_name
        if place not in self._modules:
            self._modules[place] = module_at(*place)
        return self._modules[place]

    def _path(self, folder: Path) -> tuple[Path, ...]:
        """Where the imports of a folder's files are looked for, in this order."""
        if folder not in self._paths:
            self._paths[folder] = tuple(
                above / beside for above in self._above(folder) for beside in (*_BESIDE, *self._installed(above))
            )
        return self._paths[folder]

    def _installed(self, folder: Path) -> tuple[str, ...]:
        """The folders in which the packages stand that are installed from a folder, as that says itself."""
        if folder not in self._installs:
            said = (_INSTALLED.findall(self._text(folder / name)) for name in _INSTALLERS)
            told = dict.fromkeys(each for found in said for groups in found for each in groups if each)
            self._installs[folder] = tuple(each for each in told if not each.startswith(("/", "..")))
        return self._installs[folder]

    def _appended(self, file: Path) -> tuple[Path, ...]:
        """The folders of the project that a file puts on the path itself, `sys.path.append("core")`, from wherever it is run."""
        if file not in self._own_paths:
            read: dict[Path, glance.Said] = vars(self).get("_read", {})  # where that was read before, nothing is read for this
            said = read[file].appends if file in read else glance.appended(self.disk.glance(file))
            folders = dict.fromkeys(Path(os.path.normpath(base / each)) for each in said for base in (file.parent, self.root))
            self._own_paths[file] = tuple(each for each in folders if self.root in each.parents)
        return self._own_paths[file]

    def _above(self, folder: Path) -> Iterator[Path]:
        """The folders that may be on the path when a file of one runs: from its own up; a package's inside is not."""
        while (folder / "__init__.py").is_file() and folder not in (self.root, folder.parent):
            folder = folder.parent
        while True:
            yield folder
            if folder == self.root or folder == folder.parent or self.root not in folder.parents:
                return
            folder = folder.parent

    def importers(self, file: Path) -> list[Path]:
        """The files that import a file, or a package around it that may hand on what is in it; the nearest first. A package's
        `__init__.py` calls nothing, but in functions that it defines, `create_model`."""
        around = {file, *(folder / "__init__.py" for folder in file.parents if self.root in folder.parents)}
        stems = {file.stem, *(each.parent.name for each in around if each.name == "__init__.py"), ""}
        found = {
            importer
            for stem in stems
            for importer, name in self._importers.get(stem, ())
            if importer != file and self._calls(importer) and self._leads(name, importer, around)
        }
        return sorted(found, key=lambda each: (len(os.path.relpath(each.parent, file.parent).split(os.sep)), each))

    def _calls(self, file: Path) -> bool:
        return file.name != "__init__.py" or "defines" in self._read[file].says

    def saying(self, word: str, file: Path) -> list[Path]:
        """The files that may speak of something, among a file and all that it imports of the project, here and in turn: any file,
        where one of those imports by a name that is put together."""
        wanted = {each for each, read in self._read.items() if word in read.says}
        seen, work = set[Path](), [file] if wanted else []
        while work:
            each = work.pop()
            if each not in seen and each in self._read:
                seen.add(each)
                work += self._imported_by(each)
        return sorted(wanted if any("imports by name" in self._read[each].says for each in seen) else wanted & seen)

    def _imported_by(self, file: Path) -> tuple[Path, ...]:
        """The files that one imports, with the packages around them."""
        if file not in self._imported:
            self._imported[file] = tuple(dict.fromkeys(self._led_to(file)))
        return self._imported[file]

    def _led_to(self, file: Path) -> Iterator[Path]:
        for name in self._read[file].imports:
            parts = name.split(".")
            for end in range(1, len(parts) + 1):
                found = self.locate(".".join(parts[:end]), file) if any(parts[:end]) else None
                if found and found.file:
                    yield found.file

    def _leads(self, name: str, importer: Path, around: set[Path]) -> bool:
        found = self.locate(name, importer)
        return found is not None and found.file in around

    @cached_property
    def _importers(self) -> dict[str, list[tuple[Path, str]]]:
        """Who imports what, by the last part of the name; of a package itself, `from . import x`, that is empty."""
        found: dict[str, list[tuple[Path, str]]] = {}
        for file, read in self._read.items():
            for name in read.imports:
                found.setdefault(name.rpartition(".")[2], []).append((file, name))
        return found

    @cached_property
    def _read(self) -> dict[Path, glance.Said]:
        """What the text of each file of the project says at once. Kept: few files change between runs."""
        key = digest(str(self.root).encode())
        before = self.cache.get("imports", key) or {}
        after: dict[str, list[Any]] = {}
        for file in self.files:
            seen, told, names, says, appends = before.get(str(file)) or (None, "", [], [], [])
            now = self.disk.sign(file)
            if now is None or now != seen:
                data = self.disk.glance(file)
                if told != self.disk.digest(file):
                    told = self.disk.digest(file)
                    names, says, appends = glance.said(data)
            self.disk.recognise(file, told)
            after[str(file)] = [now, told, names, says, appends]
        if after != before:
            self.cache.put("imports", key, after)
        return {file: glance.Said(*after[str(file)][2:]) for file in self.files}

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The project's Python files, unit tests, hidden and generated folders left out; none where there are too many."""
        found: list[Path] = []
        for folder, inner, names in os.walk(self.root):
            inner[:] = [name for name in inner if not name.startswith((".", "__")) and name not in _ELSEWHERE]
            inner[:] = [name for name in inner if not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))]
            inside = (Path(folder, name) for name in names if name.endswith(".py"))
            found += [each for each in inside if not each.name.startswith("test_") or self._is_run(each)]
            if len(found) > MOST_FILES:
                return ()
        return tuple(found)

    def _is_run(self, file: Path) -> bool:
        """Whether a file that is called a test, `test_cyclegan.py`, is there to be run, and tests a network."""
        data = self.disk.glance(file)
        return glance.is_run(data) and b"unittest" not in data and b"pytest" not in data


VENDORED = {"site-packages", "node_modules"}
_ELSEWHERE = {*VENDORED, "build", "dist", "tests"}


def _package(folder: Path) -> Module:
    file = folder / "__init__.py"
    return Module(folder.name, folder, file if file.is_file() else None, module_at)
