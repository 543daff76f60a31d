"""What safe fixes do to the world: `python tests/mends.py TREE...` mends copies of trees, and tells what came of it.

    python tests/mends.py ~/code/project ~/code/other    these folders; nothing in them is touched
    python tests/mends.py --pinned trl timm              those of tests/world/packages.txt whose pin holds a word; all without
    python tests/mends.py --diffs DIR TREE...            and leaves what changed there, one patch for each tree, to be read

A line for each tree: files that were changed, fixes that were made and withdrawn, and what must not be: files that do not compile
any more, and files that a second run changes again. Exit status 1 where there is one, or a run ends otherwise than it should.
"""

from __future__ import annotations

import argparse
import difflib
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from crater import NotJudged, _in_bounds
from releases import CACHE, packages, unpacked

SECONDS = 300
"""A tree may take so long."""
KEPT = (".py", ".ipynb", ".toml", ".cfg")
"""Endings of what is copied: code, and what tells where a project begins."""


@dataclass(frozen=True)
class Mended:
    """What became of a tree. broken: files that do not compile any more. unsteady: files that a second run changes again."""

    name: str
    files: int
    fixes: int
    withdrawn: int
    broken: tuple[str, ...]
    unsteady: tuple[str, ...]
    patch: str

    @property
    def well(self) -> bool:
        return not (self.broken or self.unsteady)

    def __str__(self) -> str:
        wrong = [f"broken: {name}" for name in self.broken] + [f"changes again: {name}" for name in self.unsteady]
        counted = f"{self.files} files changed, {self.fixes} fixes, {self.withdrawn} withdrawn"
        return "\n    ".join([f"{self.name}: {counted}", *wrong])


def mended(name: str, tree: Path, seconds: float = SECONDS) -> Mended:
    """A copy of a tree, mended. Raises NotJudged."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, tree.name)
        shutil.copytree(tree, copy, ignore=_all_but_code, ignore_dangling_symlinks=True)
        (copy / ".git").mkdir()  # it is a project, as the tree is
        said = _fix([copy], seconds)
        before = {
            path: tree / path.relative_to(copy) for path in sorted(copy.rglob("*")) if path.suffix in KEPT and path.is_file()
        }
        changed = {path: old for path, old in before.items() if path.read_bytes() != old.read_bytes()}
        after = {path: path.read_bytes() for path in changed}
        if changed:
            _fix([*changed], seconds)
        return Mended(
            name,
            len(changed),
            len(re.findall(r": mended: ", said)),
            len(re.findall(r": not mended: ", said)),
            tuple(
                str(old.relative_to(tree)) for path, old in changed.items() if _compiles(old) and not _compiles(path, after[path])
            ),
            tuple(str(old.relative_to(tree)) for path, old in changed.items() if path.read_bytes() != after[path]),
            "".join(_diff(str(old.relative_to(tree)), old.read_bytes(), after[path]) for path, old in changed.items()),
        )


def _all_but_code(folder: str, names: list[str]) -> set[str]:
    return {name for name in names if Path(folder, name).is_file() and Path(name).suffix not in KEPT} | {".git"}


def _fix(paths: Sequence[Path], seconds: float) -> str:
    """What a run of safe fixes says beside its report. Raises NotJudged."""
    options = ("--fix", "--exit-zero", "--no-cache", "--isolated", "--statistics")
    command = [sys.executable, "-m", "loopcheck", "check", *options, *map(str, paths)]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=seconds, preexec_fn=_in_bounds, check=False)
    except subprocess.TimeoutExpired:
        raise NotJudged(f"over {seconds:g} s") from None
    if ended.returncode not in (0, 3):  # 3: a tree may hold what is not Python
        raise NotJudged(f"loopcheck ended with {ended.returncode}")
    return ended.stderr


def _compiles(path: Path, data: bytes | None = None) -> bool:
    """Whether a script compiles; of a notebook, its reader has seen to it."""
    if path.suffix != ".py":
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(path.read_bytes() if data is None else data, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _diff(name: str, old: bytes, new: bytes) -> str:
    before, after = (data.decode(errors="replace").splitlines(keepends=True) for data in (old, new))
    return "".join(difflib.unified_diff(before, after, name, name, n=6))


@contextmanager
def _tree(path: Path) -> Iterator[Path]:
    yield path


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="*", metavar="TREE", help="folders; with --pinned, words")
    parser.add_argument("--pinned", action="store_true", help="packages that are fetched, whose pin holds one of the words")
    parser.add_argument("--cache-dir", type=Path, default=CACHE, metavar="DIR", help="where their archives are kept")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a tree at most (default %(default)s)")
    parser.add_argument("--diffs", type=Path, metavar="DIR", help="where to leave what changed")
    asked = parser.parse_args(arguments)
    if asked.pinned:
        pins = [pin for pin in packages() if not asked.trees or any(word in str(pin) for word in asked.trees)]
        trees = [(pin.name, unpacked(pin, asked.cache_dir)) for pin in pins]
    else:
        trees = [(Path(tree).name, _tree(Path(tree))) for tree in asked.trees]
    well = True
    for name, opened in trees:
        try:
            with opened as tree:
                found = mended(name, tree, asked.seconds)
        except NotJudged as reason:
            print(f"{name}: not judged: {reason}", flush=True)
            well = False
            continue
        print(found, flush=True)
        well &= found.well
        if asked.diffs and found.patch:
            asked.diffs.mkdir(parents=True, exist_ok=True)
            (asked.diffs / f"{name.replace('/', '+')}.diff").write_text(found.patch, encoding="utf-8")
    return int(not well)


if __name__ == "__main__":
    sys.exit(main())
