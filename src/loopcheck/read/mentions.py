"""What the texts of a project speak of, so that code of which nothing speaks can be told from code that somebody runs.

By text, for what is asked is about all of it: notebooks, scripts, configurations and prose name what is run. It decides how sure
one is of a finding, and never what is found.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from loopcheck.read.project import MOST_FILES, VENDORED, Project

MOST_BYTES = 20_000_000
"""Texts of so many bytes in all are searched for what they speak of; more of them are data."""

_INSTALLED = ("setup.py", "pyproject.toml", "setup.cfg")
_SPEAK = {".py", ".ipynb", ".sh", ".bat", ".md", ".rst", ".txt"}
_SPEAK |= {".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".gin", ".conf"}
"""Texts that may name a class or a function."""
_SCRIPT = re.compile(rb"^(?:if +__name__ *==|(?:for|while) )", re.M)
"""What a file has that does something when it is run."""
_LOOKS_UP = re.compile(
    rb"import_module\((?![\"'])|__import__\(|globals\(\)|__dict__\[|__subclasses__|vars\((?!args|opt|self)"
    rb"|(?<![.\w])(?<!def )(?:eval|exec)\((?!f?[\"']self\.)"
    rb"|getattr\((?:self|cls|sys\.modules\S+|(?P<of>\w+)), *(?![\"' ])"
)
"""What finds a function or class by a name that is put together."""

_SETS_ANY = rb"\bsetattr\((?!self\b)|\b(?!self\b)\w+\.__dict__|vars\((?!self\b)\w+\)(?:\[|\.update)"
"""What sets attributes whose names are put together, of what is no object of its own."""
_NOT_SPOKEN = (rb"\w", rb"def ", rb"class ", rb"super\(")
"""Before a name: it is another one, or is defined, or is what a method calls of its own class."""
_SPEAKS_OF_NOTHING = re.compile(rb"(?:^|(?<=\s))#.*|^[ \t]*from[ \t]+[.\w]+[ \t]+import[ \t]+(?:\([^)]*\)|.+)", re.M)


@dataclass(frozen=True)
class Mentions:
    """What is spoken of in a project."""

    project: Project

    def is_unspoken(self, name: str, file: Path) -> bool:
        """Whether nothing in the project, in code or in any other text, speaks of what a file defines under a name, so that it is
        never run. Not known of what is installed for others, or where names are put together as the project runs."""
        if self._is_offered(file) or not self._said or not self._scripts - {file} or self._looks_up:
            return False
        word = re.escape(name.encode())  # looked for first, and only then at what is before it: a name is rare, a word is not
        spoken = re.compile(word + rb"\b" + b"".join(rb"(?<!%b%b)" % (before, word) for before in _NOT_SPOKEN))
        return not any(map(spoken.search, self._said))

    def is_idle(self, file: Path) -> bool:
        """Whether nothing in the project imports a file, or speaks of it, which is no part of what is installed for others."""
        name = re.compile(rb"\b" + re.escape(file.stem.encode()) + rb"\b")
        packages = (each for each in self.project.files if each.name == "__init__.py")
        if self.project.importers(file) or any(name.search(self._says(each)) for each in packages):
            return False
        return self.is_unspoken(file.stem, file)

    def calling(self, method: str) -> list[str]:
        """The files that call a method of this name, of whatever object."""
        calls = re.compile(rb"\." + re.escape(method.encode()) + rb"\(")
        return [str(each) for each in self._texts if each.suffix in (".py", ".ipynb") and calls.search(self._says(each))]

    def is_set(self, attribute: str) -> bool:
        """Whether code of the project may set an attribute of what is no object of its own, `args.world = 2`."""
        set_by = re.compile(rb"(?<!\bself)\." + re.escape(attribute.encode()) + rb"\s*(?::[^=\n]+)?=(?!=)|" + _SETS_ANY)
        code = [each for each in self._texts if each.suffix in (".py", ".ipynb")]
        return not code or any(set_by.search(self._says(each)) for each in code)

    def _says(self, file: Path) -> bytes:
        return self.project.disk.glance(file)

    @cached_property
    def _said(self) -> tuple[bytes, ...]:
        """What each text says; code, without its remarks."""
        return tuple(_without_remarks(self._says(each)) if each.suffix == ".py" else self._says(each) for each in self._texts)

    @cached_property
    def _looks_up(self) -> bool:
        """Whether anything may find a function or class by a name that is put together."""
        return any(_looks_up(self._says(each)) for each in self._texts)

    @cached_property
    def _scripts(self) -> frozenset[Path]:
        """The files that do something when they are run."""
        return frozenset(each for each in self.project.files if _SCRIPT.search(self._says(each)))

    def _is_offered(self, file: Path) -> bool:
        """Whether a file is a part of what others may install."""
        around = [*file.parents]
        inside = around[: around.index(self.project.root) + 1] if self.project.root in around else []
        return not inside or any((folder / each).is_file() for folder in inside for each in _INSTALLED)

    @cached_property
    def _texts(self) -> list[Path]:
        """The files that may speak of what another one defines; none where there are too many to ask, or they are data."""
        found: list[Path] = []
        for folder, inner, names in os.walk(self.project.root):
            inner[:] = [name for name in inner if not name.startswith((".", "__pycache__")) and name not in VENDORED]
            found += [Path(folder, name) for name in names if Path(name).suffix in _SPEAK]
            if len(found) > MOST_FILES:
                return []
        return found if sum(map(_size, found)) <= MOST_BYTES else []


def _without_remarks(code: bytes) -> bytes:
    """Code without comments, and without imports: what is imported and nothing else is not run."""
    return _SPEAKS_OF_NOTHING.sub(b"", code)


def _looks_up(text: bytes) -> bool:
    """Whether code may find a function or class by a name that is put together, in a module or in an object of its own."""
    found = (each["of"] for each in _LOOKS_UP.finditer(text))
    return any(of is None or re.search(rb"\bimport\b[^\n]*\b" + of + rb"\b", text) for of in found)


def _size(file: Path) -> int:
    """So many bytes of a file would be read; none of what is no file, or cannot be asked."""
    return file.stat().st_size if file.is_file() else 0
