"""What the files of a run hold: each is read at most once, so that one run has one view of it."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from loopcheck.cache import digest

Sign: TypeAlias = Sequence[int]
"""What tells without reading that a file is as it was. See `sign`."""
_SETTLED = 2_000_000_000
"""Nanoseconds after which a file system counts another change as later: the coarsest, FAT, counts in twos of seconds."""


class Disk:
    """Contents, digests and signs of files; one that cannot be read is empty."""

    def __init__(self) -> None:
        self._bytes: dict[Path, bytes] = {}
        self._digests: dict[Path, str] = {}
        self._signs: dict[Path, Sign | None] = {}

    def data(self, file: Path) -> bytes:
        if file not in self._bytes:
            self._take(file, self._read(file))
        return self._bytes[file]

    def glance(self, file: Path) -> bytes:
        """The same of a file that is not asked for again: no more than its digest is kept."""
        if file in self._bytes:
            return self._bytes[file]
        data = self._read(file)
        self._digests[file] = digest(data)
        return data

    def digest(self, file: Path) -> str:
        if file not in self._digests:
            self._digests[file] = digest(self.data(file))
        return self._digests[file]

    def sign(self, file: Path) -> Sign | None:
        """The sign of a file from before it was read here: what is written meanwhile makes another one."""
        if file not in self._signs:
            self._signs[file] = None if file in self._bytes else sign(file)
        return self._signs[file]

    def recognise(self, file: Path, told: str) -> None:
        """Take a digest from who knows it by the sign. What is read all the same is what counts."""
        self._digests.setdefault(file, told)

    def holds(self, file: Path, data: bytes) -> bool:
        """Whether these are the bytes of a file; of one that nobody has read yet, they are."""
        if file not in self._bytes:
            self._take(file, data)
        return self._bytes[file] == data

    def holding(self, file: Path, data: bytes) -> Disk:
        """Files as here, but for one, which holds these bytes."""
        other = Disk()
        other._bytes, other._digests, other._signs = dict(self._bytes), dict(self._digests), {**self._signs, file: None}
        other._take(file, data)
        return other

    def _read(self, file: Path) -> bytes:
        self.sign(file)
        try:
            return contents(file)
        except OSError:
            return b""

    def _take(self, file: Path, data: bytes) -> None:
        self._bytes[file] = data
        self._digests.pop(file, None)


def contents(file: Path) -> bytes:
    """What a file holds. Raises OSError, also of a pipe or a device, whose end may never come."""
    mode = os.stat(file).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "neither a file nor a folder")
    return file.read_bytes()


def sign(file: Path) -> Sign | None:
    """Size, identity and times of a file; None where equal ones would be no proof of equal content.

    A program may set the time of modification back, but not that of the last change of the file itself, which POSIX keeps. So
    the same sign is the same content, unless two changes share a time: the last must lie further back than any file system
    rounds. Elsewhere that time is the file's creation, and there is no sign.
    """
    if os.name != "posix":
        return None
    try:
        found = os.stat(file)
    except OSError:
        return None
    settled = max(found.st_mtime_ns, found.st_ctime_ns) < time.time_ns() - _SETTLED
    return [found.st_size, found.st_dev, found.st_ino, found.st_mtime_ns, found.st_ctime_ns] if settled else None
