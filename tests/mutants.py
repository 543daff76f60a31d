"""What no test would miss: guarantees of the house removed one at a time, each in a copy of the tree, and the tests asked.

    python tests/mutants.py                 every mutant, several at a time
    python tests/mutants.py paths.py loop   those whose file or reason holds a word
    python tests/mutants.py --jobs 1        one at a time

A mutant dies by the tests and scripts that its row names, or else by the static judge over all marked scripts: by the first that
fails, and passes without it. One that lives is a guarantee that nobody checks, unless its row says why it may. Exit status 1
where one lives without a reason, 2 where a row is stale, no row has a word, or what fails does so without the mutant, too.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import os
import py_compile
import queue
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import mutants_of_all
import mutants_of_interpret
from mutant import Mutant

ROOT = Path(__file__).parent.parent
NEEDED = ["src", "rules", "fixtures", "tests", "pyproject.toml"]
MOST_SECONDS = 300
"""A mutant that takes longer is as dead as one that fails."""
SCRIPTS = ["scripts"]
"""All of them, as `failing.py` calls them."""


MUTANTS = [*mutants_of_all.MUTANTS, *mutants_of_interpret.MUTANTS]


class Spoiled(Exception):
    """What fails with a mutant fails without it, too, and proves nothing."""


def stale(mutants: Sequence[Mutant] = MUTANTS) -> list[str]:
    """What rows no longer fit the house: code that is not once in its file or no Python without it, tests that are gone."""
    found = []
    for mutant in mutants:
        text = (ROOT / "src" / "loopcheck" / mutant.file).read_text(encoding="utf-8")
        if (times := text.count(mutant.code)) != 1:
            found.append(f"{mutant.file}: `{mutant.code}` stands there {times} times")
        elif not _parses(_around(text, mutant.code).replace(mutant.code, mutant.instead)):
            found.append(f"{mutant.file}: with `{mutant.instead}` it is no Python")
        found += [f"{mutant.file}: no {each}" for each in mutant.tests.split() if not (ROOT / each.partition("::")[0]).exists()]
    return found


def _around(text: str, code: str) -> str:
    """The statements of a module that some code of it stands in, and what is between them: all that a change of it can spoil."""
    first = text.count("\n", 0, text.index(code)) + 1
    last = first + code.count("\n")
    touched = [(first, last), *(rows for rows in _statements(text) if rows[0] <= last and rows[1] >= first)]
    return "".join(text.splitlines(keepends=True)[min(touched)[0] - 1 : max(end for _, end in touched)])


@cache
def _statements(text: str) -> list[tuple[int, int]]:
    """Rows where the statements of a module begin and end."""
    return [
        (min([statement.lineno, *(each.lineno for each in getattr(statement, "decorator_list", ()))]), end)
        for statement in ast.parse(text).body
        if (end := statement.end_lineno)
    ]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def chosen(words: Sequence[str]) -> list[Mutant]:
    """The mutants whose file or reason holds one of the words; all where there is none."""
    return [each for each in MUTANTS if not words or any(word in f"{each.file} {each.why}" for word in words)]


def planted(folder: Path) -> Path:
    """A copy of what tests need of the house, in this folder."""
    for name in NEEDED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    # by their hashes, for within one second two mutants of a file look like one
    compileall.compile_dir(folder / "src", quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return folder


def killer(mutant: Mutant, tree: Path) -> str:
    """What fails in the tree without this guarantee; nothing where it lives. Raises Spoiled."""
    for asked in (mutant.tests.split(), SCRIPTS):
        with _mutated(tree / "src" / "loopcheck" / mutant.file, mutant):
            by = failing(tree, asked)
        if by and failing(tree, [by] if (tree / by.partition("::")[0]).exists() else asked):
            raise Spoiled(by)
        if by:
            return by
    return ""


@contextmanager
def _mutated(file: Path, mutant: Mutant) -> Iterator[None]:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(mutant.code, mutant.instead), encoding="utf-8")
    try:
        yield
    finally:
        file.write_text(text, encoding="utf-8")


def failing(tree: Path, asked: Sequence[str]) -> str:
    """The first of these tests and scripts that fails in a tree, or how asking them ended."""
    if not asked:
        return ""
    path = os.pathsep.join(str(tree / each) for each in ("src", "rules", "tests"))
    try:
        ran = subprocess.run(
            [sys.executable, "tests/failing.py", *asked],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            encoding="utf-8",
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"taking more than {MOST_SECONDS} s"
    said = ran.stdout.splitlines() or [""]
    return "" if ran.returncode == 0 else said[-1] or f"exit status {ran.returncode}"


@dataclass(frozen=True)
class Fate:
    """How a mutant fared. by: what fails with it; spoiled: and without it, which proves nothing."""

    mutant: Mutant
    seconds: float
    by: str = ""
    spoiled: str = ""

    def __str__(self) -> str:
        if self.spoiled:
            return f"{self.spoiled} fails without it, too"
        return f"dies by {self.by}" if self.by else f"LIVES: {self.mutant.lives or 'nobody knows why'}"


def fates(mutants: Sequence[Mutant], jobs: int) -> Iterator[Fate]:
    """How each fared, as soon as it is known."""
    trees: queue.SimpleQueue[Path] = queue.SimpleQueue()

    def fate(mutant: Mutant) -> Fate:
        tree, began = trees.get(), time.monotonic()
        by, spoiled = "", ""
        try:
            by = killer(mutant, tree)
        except Spoiled as error:
            spoiled = str(error)
        finally:
            trees.put(tree)
        return Fate(mutant, time.monotonic() - began, by, spoiled)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        for number in range(jobs):
            trees.put(planted(Path(folder) / str(number)))
        try:
            for done in as_completed([pool.submit(fate, each) for each in mutants]):
                yield done.result()
        finally:
            pool.shutdown(cancel_futures=True)


def main(arguments: Sequence[str]) -> int:
    """Print how each mutant fared; the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", help="of the files or reasons of those to take; all without one")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time; one for each core")
    options = parser.parse_args(arguments)
    if rows := stale():
        print("stale rows:", *rows, sep="\n  ")
        return 2
    if not (mutants := chosen(options.words)):
        print(f"no mutant has {' or '.join(map(repr, options.words))} in its file or reason")
        return 2
    began = time.monotonic()
    known = []
    for fate in fates(mutants, min(max(options.jobs, 1), len(mutants))):
        known.append(fate)
        print(f"{fate.seconds:4.0f} s  {fate.mutant.file}: {fate.mutant.why}: {fate}", flush=True)
    died = sum(bool(each.by) for each in known)
    spoiled = sum(bool(each.spoiled) for each in known)
    excused = sum(bool(each.mutant.lives) for each in known if not each.by and not each.spoiled)
    unexplained = len(known) - died - spoiled - excused
    print(
        f"{len(known)} mutants in {(time.monotonic() - began) / 60:.0f} minutes: {died} die, {excused} live for a reason,"
        f" {unexplained} without one, {spoiled} by what fails anyway"
    )
    return 2 if spoiled else 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
