"""What earlier runs have found out, kept on disk between them. Data only: nothing that is read back is ever executed.

An entry is a file of JSON behind a digest of itself. One that is torn, or another's, or cannot be read is no entry, and the next
`put` replaces it. Whatever the code of this program and of the rules could change lies in a folder named for that code, an
edition, so that no entry outlives its meaning.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

import loopcheck
from loopcheck.misuse import Misuse

FOLDER = ".loopcheck_cache"
MOST_EDITIONS = 4
"""So many are kept side by side: several versions may work on one project, and branches of this program on it."""
_EDITION = re.compile(r"[0-9a-f]{32}")
_TAG = "CACHEDIR.TAG"
_MARKS = {
    _TAG: b"Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by loopcheck.\n",
    ".gitignore": b"*\n",
}


class NoCache(Misuse):
    """A folder that is something else already."""


def digest(data: bytes) -> str:
    """What stands for content: two that differ do not share it."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def edition(rules: Iterable[Path], same_as: Mapping[str, str] = MappingProxyType({})) -> str:
    """A name for what reads and judges: this program's code, the parser's, the rules', given by their files, and what the
    settings say of the meaning of names.

    By content rather than date, so that a fresh checkout of the same code finds what another left.
    """
    files = [Path(folder, name) for folder, _, names in os.walk(Path(__file__).parent) for name in names if name.endswith(".py")]
    code = [file.read_bytes() for file in (*sorted(files), *sorted(rules))]
    words = (loopcheck.__version__, version("libcst"), sys.version, json.dumps(sorted(same_as.items())))
    return digest(b"".join(digest(each).encode() for each in ("\n".join(words).encode(), *code)))


class Cache:
    """A folder of entries, made when the first is put. Without a folder nothing is kept.

    trouble: why entries could not be written, which is no error: the next run will be slower, and no different.
    """

    def __init__(self, folder: Path | None = None, edition: str = "") -> None:
        """Raises NoCache where the folder holds other things."""
        self.folder = folder
        self.edition = edition
        self.trouble: str | None = None
        if folder is not None:
            _refuse_others(folder)

    def get(self, kind: str, key: str) -> Any:
        """What was put under a key, None where that is nothing. kind: what it is about, a word; key: a digest."""
        if self.folder is None:
            return None
        try:
            told, _, body = (self.folder / self.edition / kind / key).read_bytes().partition(b"\n")
            return json.loads(body) if told.decode() == _seal(kind, key, body) else None
        except (OSError, ValueError):
            return None

    def put(self, kind: str, key: str, value: Any) -> None:
        """Keep what JSON can write, for every run that asks from now on, those beside this one included."""
        if self.folder is None or self.trouble:
            return
        body = json.dumps(value, separators=(",", ":")).encode()
        file = self.folder / self.edition / kind / key
        try:
            if not file.parent.is_dir():
                _furnish(self.folder, self.edition)
                file.parent.mkdir(parents=True, exist_ok=True)
            _write(file, _seal(kind, key, body).encode() + b"\n" + body)
        except OSError as error:
            self.trouble = f"{self.folder}: the cache cannot be written: {error.strerror}"


def clean(folder: Path) -> bool:
    """Remove a cache; whether there was one. Raises NoCache where the folder is something else."""
    _refuse_others(folder)
    if not folder.is_dir():
        return False
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise NoCache(f"{folder} cannot be removed: {error.strerror}") from None
    return True


def _seal(kind: str, key: str, body: bytes) -> str:
    """What no other entry, and no part of this one, begins with."""
    return digest(f"{kind}/{key}\n".encode() + body)


def _write(file: Path, data: bytes) -> None:
    """All or nothing, whoever else writes or reads the file."""
    beside = file.with_name(f"{file.name}.{os.getpid()}~")
    try:
        beside.write_bytes(data)
        os.replace(beside, file)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _furnish(folder: Path, edition: str) -> None:
    """Mark a folder as a cache, which git and backups leave out, and remove the editions that were left the longest ago."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in _MARKS.items():
        if not (folder / name).exists():
            _write(folder / name, data)
    (folder / edition).mkdir(exist_ok=True)
    os.utime(folder / edition)
    found = [entry for entry in os.scandir(folder) if _EDITION.fullmatch(entry.name)]
    for entry in sorted(found, key=lambda entry: entry.stat().st_mtime_ns, reverse=True)[MOST_EDITIONS:]:
        shutil.rmtree(entry.path, ignore_errors=True)


def _refuse_others(folder: Path) -> None:
    """Raises NoCache: a folder that somebody else fills is not to be hidden from git, and not to be cleaned away."""
    try:
        names = [name for name in os.listdir(folder) if not name.endswith("~")]
        ours = not names or b"created by loopcheck" in (folder / _TAG).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        ours = not os.path.lexists(folder)
    except OSError:
        return  # what cannot be read is not written either
    if not ours:
        raise NoCache(f"{folder} is no cache of loopcheck, and is left as it is; name an empty or a new folder")
