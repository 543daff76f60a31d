"""The release of torch that a project asks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_FILES = ("*requirement*.txt", "requirements/*.txt", "env*.y*ml", "setup.py", "setup.cfg", "pyproject.toml", "Pipfile")
_PIN = re.compile(r"(?<![\w.-])(?:py)?torch\s*(?:<=|={1,3})\s*[\"']?(\d+(?:\.\d+)*)")


def pinned(folder: Path, top: Path) -> str:
    """The newest release that a file of the project's top, or of a folder on the way there, allows at most; empty where none
    says so."""
    found = [version for each in _between(folder, top) for version in _in(each)]
    return max(found, key=release, default="")


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version, to be compared."""
    return tuple(map(int, version.split(".")))


def _between(folder: Path, top: Path) -> Iterator[Path]:
    for each in (folder, *folder.parents):
        yield each
        if each == top:
            return


def _in(folder: Path) -> Iterator[str]:
    for file in (file for pattern in _FILES for file in folder.glob(pattern)):
        try:
            lines = file.read_text(errors="replace").splitlines()
        except OSError:
            continue
        yield from (version for line in lines for version in _PIN.findall(line.partition("#")[0]))
