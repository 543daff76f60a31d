"""Other bytes in a file that somebody else may be working on: all of them or none, and no edit of theirs is lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from loopcheck.structs import dataclass, replace


class Refused(Exception):
    """Why a file is left as it is."""


def overwrite(path: Path, data: bytes, before: bytes) -> bool:
    """Put other bytes in a file that held `before`; whether there was anything to do.

    A link is kept and its target changed; owner, permissions and the file's other names stay. Raises Refused where the file
    holds something else by now, or may not be written.
    """
    if data == before:
        return False
    overwrite_all([(path, data, before)])
    return True


def overwrite_all(files: Sequence[tuple[Path, bytes, bytes]]) -> None:
    """Put other bytes in several files, each with what it held: in all of them, or in none.

    Raises Refused where one of them holds something else by now, or may not be written.
    """
    try:
        writing = [_Writing.of(*each) for each in files]
        _undisturbed(lambda: _put_all(writing))
    except OSError as error:
        raise Refused(f"the file cannot be changed: {error.strerror or error}") from None


@dataclass(frozen=True)
class _Writing:
    """A file that is to be changed."""

    target: Path
    data: bytes
    before: bytes
    found: os.stat_result

    @classmethod
    def of(cls, path: Path, data: bytes, before: bytes) -> _Writing:
        """Raises Refused, OSError."""
        target = Path(os.path.realpath(path))
        found = os.stat(target)
        if not found.st_mode & 0o222 or not os.access(target, os.W_OK):
            raise Refused("the file cannot be changed: it may only be read")
        return cls(target, data, before, found)

    @property
    def undone(self) -> _Writing:
        return replace(self, data=self.before, before=self.data, found=os.stat(self.target))


def _put_all(files: Sequence[_Writing]) -> None:
    """One after the other; where one cannot be, those before it are put back."""
    for each in files:
        _compare(each.target, each.before)
    done: list[_Writing] = []
    try:
        for each in files:
            _put(each.target, each.data, each.before, each.found)
            done.append(each)
    except (OSError, Refused):
        for each in reversed(done):
            with suppress(OSError, Refused):
                undone = each.undone
                _put(undone.target, undone.data, undone.before, undone.found)
        raise


def _put(target: Path, data: bytes, before: bytes, found: os.stat_result) -> None:
    """A new file in the place of the old one, in one step; where that would part the old one from its owner or from its other
    names, or the folder is closed, the old one is written into."""
    if found.st_nlink == 1:
        try:
            return _replace(target, data, before, found)
        except PermissionError:
            pass
    _write_into(target, data, before)


def _replace(target: Path, data: bytes, before: bytes, found: os.stat_result) -> None:
    beside = target.with_name(f".{target.name}.{os.getpid()}.loopcheck~")
    try:
        handle = _nameless(beside)
        try:
            _make_alike(handle, target, found)
            _write(handle, data)
            _compare(target, before)
            _name(handle, beside)
        finally:
            os.close(handle)
        os.replace(beside, target)
    finally:
        with suppress(OSError):
            os.unlink(beside)


def _nameless(beside: Path) -> int:
    """A new file in a folder, which goes with its process as long as it has no name; one with a name where there is no such."""
    try:
        return os.open(beside.parent, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except (AttributeError, OSError):
        return os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)


def _name(handle: int, beside: Path) -> None:
    if os.path.lexists(beside):
        return  # it was made with its name
    folder = os.open(beside.parent, os.O_RDONLY)
    try:
        os.link(f"/proc/self/fd/{handle}", beside.name, dst_dir_fd=folder)  # with a folder, the link is followed
    finally:
        os.close(folder)


def _make_alike(handle: int, target: Path, found: os.stat_result) -> None:
    """Owner, permissions and what else a file says of itself. Raises PermissionError where they are not ours to give."""
    if os.name != "posix":
        return
    made = os.fstat(handle)
    if (made.st_uid, made.st_gid) != (found.st_uid, found.st_gid):
        os.fchown(handle, found.st_uid, found.st_gid)
    os.fchmod(handle, stat.S_IMODE(found.st_mode))
    for name in os.listxattr(target) if hasattr(os, "listxattr") else ():
        with suppress(OSError):  # a system sets some by itself
            os.setxattr(handle, name, os.getxattr(target, name))


def _write_into(target: Path, data: bytes, before: bytes) -> None:
    """Write into a file as it is. What is too much for the disk is refused before the first byte."""
    handle = os.open(target, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        _compare(target, before)
        if data and hasattr(os, "posix_fallocate"):
            os.posix_fallocate(handle, 0, len(data))
        _write(handle, data)
        os.ftruncate(handle, len(data))
        os.fsync(handle)
    finally:
        os.close(handle)


def _compare(target: Path, before: bytes) -> None:
    if target.read_bytes() != before:
        raise Refused("the file was changed meanwhile, and is left as it is now: run again")


def _write(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


def _undisturbed(do: Callable[[], None]) -> None:
    """Do what must not end half-way, in a process of its own, which who ends this one does not reach. Raises OSError, Refused."""
    if not hasattr(os, "fork"):
        return do()
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        told = b""
        try:
            os.setsid()
            do()
        except OSError as error:
            told = f"{error.errno or 0} {error}".encode(errors="replace")
        except BaseException as error:
            told = f"0 {error or type(error).__name__}".encode(errors="replace")
        finally:
            os.write(theirs, told)
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as answer:
        number, _, reason = answer.read().decode().partition(" ")
    os.waitpid(child, 0)
    if number:
        raise OSError(int(number), os.strerror(int(number))) if int(number) else Refused(reason)
