"""Which files are other ones than git has kept. Only git is asked, for names; nothing of it is changed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from loopcheck.misuse import Misuse

_QUIET = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")
"""A repository's own settings do not have other programs run."""


def since(ref: str, folder: Path) -> set[Path]:
    """The files of a folder's repository that differ from where its branch left `ref`, and those that git does not know.

    Raises Misuse where git cannot tell.
    """
    if ref.startswith("-"):
        raise Misuse(f"{ref!r} is no commit, branch or tag")
    top = _top(folder)
    fork = _git(top, "merge-base", ref, "HEAD", why=f"git knows no common commit of {ref!r} and this branch").strip()
    changed = _git(top, "diff", "--name-only", "-z", "--no-ext-diff", "--diff-filter=d", fork, "--")
    new = _git(top, "ls-files", "--others", "--exclude-standard", "-z")
    return _paths(top, changed + new)


def staged(folder: Path) -> set[Path]:
    """The files of a folder's repository of which the next commit would have another version. Raises Misuse."""
    top = _top(folder)
    return _paths(top, _git(top, "diff", "--cached", "--name-only", "-z", "--no-ext-diff", "--diff-filter=d"))


def among(files: Sequence[Path], changed: set[Path]) -> list[Path]:
    """Those of some files that have changed."""
    return [file for file in files if Path(os.path.realpath(file)) in changed]


def _top(folder: Path) -> Path:
    return Path(_git(folder, "rev-parse", "--show-toplevel", why=f"{folder} is in no git repository").rstrip("\n"))


def _paths(top: Path, names: str) -> set[Path]:
    return {Path(os.path.realpath(top / name)) for name in names.split("\0") if name}


def _git(folder: Path, *words: str, why: str = "") -> str:
    try:
        done = subprocess.run(["git", *_QUIET, *words], cwd=folder, capture_output=True, check=True)
    except FileNotFoundError:
        raise Misuse("git is not installed, so it cannot tell which files have changed") from None
    except subprocess.CalledProcessError as error:
        raise Misuse(
            why or f"git cannot tell which files have changed: {error.stderr.decode(errors='replace').strip()}"
        ) from None
    return done.stdout.decode(errors="surrogateescape")
