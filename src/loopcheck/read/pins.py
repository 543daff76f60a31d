"""The release of torch that a project asks for, or says that it was written for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_FILES = (
    "Dockerfile*",
    "*requirement*.txt",
    "requirements/*.txt",
    "env*.y*ml",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "Pipfile",
)
_PIN = re.compile(r"(?<![\w.-])(?:py)?torch\s*(?:<=|={1,3})\s*[\"']?(\d+(?:\.\d+)*)")
_IMAGE = re.compile(r"^\s*FROM\s+\S*\bpytorch:(\d+\.\d+(?:\.\d+)*)", re.IGNORECASE)
_WHEEL = re.compile(r"\btorch-(\d+\.\d+(?:\.\d+)*)[\w.%+-]*\.whl\b")
_LEAST = re.compile(r"(?<![\w.-])(?:py)?torch\s*(?:>=|~=)\s*[\"']?(\d+(?:\.\d+)*)")
_TEXTS = ("README*",)
_SAID = re.compile(
    r"^\s*(?:[-*+]|\d+[.)])\s.*?(?<![\w./-])(?:py)?torch(?:\]\S+)?(?:\s+version)?[\s:=v*`(]*(\d+\.\d+(?:\.\d+)*)"
    r"(?!\.?\d|\s*\+|\W*(?:or|and)\s+(?:above|greater|higher|later|newer|up))(?=[^:]{0,40}$)",
    re.IGNORECASE,
)
"""An entry of a list of requirements, `- PyTorch 0.4.1`, and no `- PyTorch 0.4.1+`; other sentences praise what they name."""
_ALONE = re.compile(r"^\s*\[?(?:py)?torch[ =v]+(\d+\.\d+(?:\.\d+)*)\]?(?:\([^)\s]*\))?[^\w+]*$", re.IGNORECASE)
"""A line that says nothing else."""
_LISTED = re.compile(
    r"^\W*python\s*[\d.]+\+?\s*(?:,|and|&|/|\||with)\s*(?:py)?torch[\s=v]*(\d+\.\d+(?:\.\d+)*)(?!\.?\d|\s*\+|\W*(?:or|and)\s+(?:above|later|newer|up))",
    re.IGNORECASE,
)
"""A line that begins with the release of Python: `Python 3.6+, PyTorch 1.0 and Ubuntu`."""
_NAMED = (
    r"(?:(?!\.\s)[^!?]){0,80}?(?<![\w./-])(?:py)?torch(?:\s+version)?[\s:=v*`(-]*(\d+\.\d+(?:\.\d+)*)"
    r"(?:\s*(?:,|and|or|/|&)\s*(?:py)?(?:torch)?\s*(\d+\.\d+(?:\.\d+)*))?(?!\.?\d|\s*\+|\W*(?:or|and)\s+(?:above|greater|higher|later|newer|up))"
)
_TESTED = re.compile(r"\b(?:tested|tried|developed|evaluated|written)\b" + _NAMED, re.IGNORECASE)
"""What somebody has run it with: `tested over PyTorch 0.4.1 and 1.0.0`."""
_MADE = re.compile(r"\b(?:im?n?plemented|built|coded|used|using)\b" + _NAMED, re.IGNORECASE)
"""What it was made with, which says less: a list of requirements knows better what it may be run with."""
_ASKED = re.compile(r"(?<![\w./-])torch\b")


def pinned(folder: Path, top: Path) -> str:
    """The newest release that a file of the project's top, or of a folder on the way there, allows at most or names; empty where
    none does."""
    folders = [*_between(folder, top)]
    found = [version for each in folders for version in _named(each)]
    if not found and not any(_ASKED.search(line) for each in folders for line in _lines(each, _FILES)):
        made = (_MADE.findall(line) for each in folders for line in _lines(each, _TEXTS))
        found = [version for pairs in made for pair in pairs for version in pair if version]
    if found:
        found += [version for each in folders for line in _lines(each, _FILES) for version in _LEAST.findall(line)]
    return max(found, key=release, default="")


def release(version: str) -> tuple[int, ...]:
    """The numbers of a version, to be compared."""
    return tuple(map(int, version.split(".")))


def _between(folder: Path, top: Path) -> Iterator[Path]:
    for each in (folder, *folder.parents):
        yield each
        if each == top:
            return


def _named(folder: Path) -> Iterator[str]:
    for line in _lines(folder, _FILES):
        yield from (*_PIN.findall(line.partition("#")[0]), *_WHEEL.findall(line), *_IMAGE.findall(line))
    for line in _lines(folder, _TEXTS):
        yield from (*_SAID.findall(line), *_ALONE.findall(line), *_LISTED.findall(line))
        yield from (version for found in _TESTED.findall(line) for version in found if version)


def _lines(folder: Path, patterns: tuple[str, ...]) -> Iterator[str]:
    for file in (file for pattern in patterns for file in folder.glob(pattern) if file.is_file()):
        try:
            yield from file.read_text(errors="replace").splitlines()
        except OSError:
            continue
