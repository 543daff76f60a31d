"""Which files to read: those named, and the Python files and notebooks of the folders named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from loopcheck.disk import contents
from loopcheck.misuse import Misuse
from loopcheck.printable import printable

_NEVER = {"__pycache__", "site-packages", "node_modules", "build", "dist"}


class NoFiles(Misuse):
    """A path that is missing, or that holds nothing to read."""


def find(paths: Sequence[Path], exclude: Iterable[str] = (), base: Path | None = None, force: bool = False) -> list[Path]:
    """The files to read, each once and sorted, spelled as the paths were given.

    A file that is named is read whatever it is called. A folder is searched for `*.py` and `*.ipynb`, leaving out hidden and
    generated folders, virtual environments, what .gitignore lists, and the patterns of `exclude`, relative to `base`. A
    folder that cannot be searched is among what is found: to be told of, as a file is that cannot be read.

    force: what is excluded is not read even where it is named. Raises NoFiles, for all such paths at once.
    """
    excluded = Patterns(base or Path.cwd(), GitIgnoreSpec.from_lines(exclude))
    found: dict[str, Path] = {}
    empty: list[str] = []
    for path in paths:
        if force and excluded.matches(str(path), os.path.isdir(path)):
            continue
        inside = list(_search(path, excluded)) if os.path.isdir(path) else [path]
        problem = _problem(path, inside)
        empty += [problem] if problem else []
        for file in inside:
            found.setdefault(os.path.abspath(file), file)
    if empty:
        raise NoFiles("\n".join(empty))
    return sorted(found.values())


def inside(path: Path, roots: Sequence[Path]) -> bool:
    """Whether a file, by whatever links it is reached, lies in one of the files and folders that were named."""
    real = Path(os.path.realpath(path))
    return not roots or any(real.is_relative_to(os.path.realpath(root)) for root in roots)


def common_folder(paths: Sequence[Path]) -> Path:
    """The deepest folder that holds all the paths."""
    folders = [path if os.path.isdir(path) else path.parent for path in paths] or [Path()]
    return Path(os.path.commonpath([os.path.abspath(folder) for folder in folders]))


def _problem(path: Path, inside: Sequence[Path]) -> str | None:
    if not os.path.lexists(path):
        return f"{printable(str(path))}: no such file or folder"
    if not inside:
        return f"{printable(str(path))}: no Python file or notebook in this folder that is not excluded"
    return None


@dataclass(frozen=True)
class Patterns:
    """Patterns and the folder that they are relative to."""

    folder: Path
    spec: GitIgnoreSpec

    def matches(self, path: str, folder: bool = False) -> bool:
        relative = os.path.relpath(os.path.abspath(path), self.folder)
        if relative.startswith(os.pardir):
            return False
        return self._excludes(relative + "/") if folder else self.spec.match_file(relative)

    def _excludes(self, folder: str) -> bool:
        """Whether a folder itself is out: the last line that matches decides, `!*/` after `*`. To pathspec a line about a folder
        counts less than one about what is in it."""
        found = (line.include for line in reversed([*self.spec.patterns]) if line.include is not None and line.match_file(folder))
        return bool(next(found, False))


def patterns(folder: Path, lines: Iterable[str]) -> Patterns:
    """Lines as in .gitignore, relative to a folder."""
    return Patterns(folder.absolute(), GitIgnoreSpec.from_lines(lines))


def _search(root: Path, excluded: Patterns) -> Iterator[Path]:
    """The Python files and notebooks under a folder. A folder that is named is searched even where its own name is on a list."""
    above = [ignore for ignore in _above(root) if not ignore.matches(str(root), folder=True)]
    yield from _walk(str(root), (excluded, *above))


def _walk(folder: str, ignores: tuple[Patterns, ...]) -> Iterator[Path]:
    ignores += _listed(Path(folder))
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError:
        yield Path(folder)  # reading it fails as well, which is told as of a file
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            if not _generated(entry) and not any(ignore.matches(entry.path, folder=True) for ignore in ignores):
                yield from _walk(entry.path, ignores)
        elif _is_script(entry.path) and not any(ignore.matches(entry.path) for ignore in ignores):
            yield Path(entry.path)


def _is_script(path: str) -> bool:
    """A file of code, or a link to nothing, which is to be reported rather than passed over; no pipe, which would block."""
    return path.endswith((".py", ".ipynb")) and (os.path.isfile(path) or (os.path.islink(path) and not os.path.isdir(path)))


def _generated(entry: os.DirEntry[str]) -> bool:
    return entry.name in _NEVER or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))


def _above(root: Path) -> list[Patterns]:
    """The .gitignore files of the folders above, up to the top of the repository; none outside of one."""
    found: list[Patterns] = []
    folder = Path(os.path.abspath(root))
    while not (folder / ".git").exists():
        if folder == folder.parent:
            return []
        folder = folder.parent
        found += _listed(folder)
    return found


def _listed(folder: Path) -> tuple[Patterns, ...]:
    try:
        lines = contents(folder / ".gitignore").decode(errors="replace").splitlines()
    except OSError:
        return ()
    return (Patterns(Path(os.path.abspath(folder)), GitIgnoreSpec.from_lines(lines)),)
