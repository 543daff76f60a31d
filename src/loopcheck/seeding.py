"""How many of the bugs that are put into right code are told: `python -m loopcheck.seeding TREE ...` breaks one place at a time.

Error seeding: the `fault.py` of each rule breaks a statement or an expression as somebody would have got it wrong, in every file
of the trees, and `loopcheck check` is asked whether it tells one more finding of that rule than before. A line for each seed,
and a table. What is not told may well be no bug where it stands, a network without dropout in train mode, or stand in code that
cannot run: a share is a lower bound, and each line is to be read.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from loopcheck import packs
from loopcheck.faults import Script, Seeds


@dataclass(frozen=True)
class Fault:
    """A way to get right code wrong, and the codes of the rules of which one is to tell it."""

    name: str
    rules: frozenset[str]
    plant: Callable[[Script], Seeds]

    @property
    def families(self) -> set[str]:
        return {rule[:3] for rule in self.rules}


def faults() -> list[Fault]:
    """Those of all rules that bring one, each by its rule's name."""
    codes = {rule.name: rule.code for rule in packs.rules()}
    found = []
    for rule in packs.rules():
        if module := packs.beside(rule, "fault.py"):
            told_by = (rule.code, *(codes[name] for name in getattr(module, "ALSO", ())))
            found.append(Fault(rule.name, frozenset(told_by), module.plant))
    return found


OUTCOMES = ("told", "low", "missed")
"""A seed is told by default, with low confidence, or not at all."""


@dataclass(frozen=True)
class Seed:
    """A fault at a place."""

    fault: Fault
    path: Path
    row: int
    broken: bytes


def seeds(tree: Path, faults: Sequence[Fault], most: int) -> list[Seed]:
    """Where faults are put into the files of a tree: of each at most so many, taken evenly of all."""
    found = defaultdict[Fault, list[Seed]](list)
    for path in sorted(tree.rglob("*.py")):
        try:
            script = Script(path.read_bytes())
        except (SyntaxError, ValueError):  # another Python's
            continue
        for fault in faults:
            for place, edits in fault.plant(script):
                broken = script.edited(edits)
                ast.parse(broken)
                found[fault].append(Seed(fault, path.relative_to(tree), place.lineno, broken))
    return [
        several[at * len(several) // most] if len(several) > most else several[at]
        for several in found.values()
        for at in range(min(most, len(several)))
    ]


def tell(tree: Path, cache: Path) -> Counter[tuple[str, bool]]:
    """How many findings of each rule there are in a tree, and of these that are shown by default."""
    options = (
        "--isolated",
        "--exit-zero",
        "--jobs",
        "1",
        "--cache-dir",
        str(cache),
        "--min-confidence",
        "low",
        "--output-format",
        "json",
    )
    ended = subprocess.run([sys.executable, "-m", "loopcheck", "check", *options, str(tree)], stdout=subprocess.PIPE, check=False)
    entries = [(entry["code"], entry["confidence"]) for entry in json.loads(ended.stdout)]
    return Counter((rule, shown) for rule, confidence in entries for shown in (False, True) if not shown or confidence != "low")


def together(planted: Iterable[Seed]) -> list[list[Seed]]:
    """Seeds in turns: those of one stand in different files, are of different families of rules, and hide none of each other."""
    turns: list[list[Seed]] = []
    for seed in planted:
        fits = (
            turn
            for turn in turns
            if not any(seed.path == each.path or seed.fault.families & each.fault.families for each in turn)
        )
        if (turn := next(fits, None)) is not None:
            turn.append(seed)
        else:
            turns.append([seed])
    return turns


def follow(tree: Path, faults: Sequence[Fault], most: int) -> Iterator[tuple[Seed, str]]:
    """Each seed of a tree, and how it is told: one of OUTCOMES."""
    with tempfile.TemporaryDirectory() as scratch:
        copy, cache = Path(scratch, tree.name), Path(scratch, "cache")
        shutil.copytree(tree, copy)
        planted = seeds(copy, faults, most)
        before = tell(copy, cache) if planted else Counter[tuple[str, bool]]()
        for turn in together(planted):
            whole = {copy / seed.path: (copy / seed.path).read_bytes() for seed in turn}
            for seed in turn:
                (copy / seed.path).write_bytes(seed.broken)
            more = tell(copy, cache) - before
            for file, source in whole.items():
                file.write_bytes(source)
            for seed in turn:
                told = {shown for rule, shown in more if rule in seed.fault.rules}
                yield seed, "told" if True in told else "low" if told else "missed"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--fault", action="append", default=[], metavar="WORD", help="only faults and rules that hold it")
    parser.add_argument("--most", type=int, default=3, metavar="N", help="seeds of one fault in a tree (default %(default)s)")
    asked = parser.parse_args(arguments)
    wanted = [
        each for each in faults() if not asked.fault or any(word in f"{each.name} {' '.join(each.rules)}" for word in asked.fault)
    ]
    counts = defaultdict[str, Counter[str]](Counter)
    for tree in asked.trees:
        for seed, outcome in follow(tree.resolve(), wanted, asked.most):
            counts[seed.fault.name][outcome] += 1
            print(f"{outcome:6} {seed.fault.name:32} {tree / seed.path}:{seed.row}", flush=True)
    print(f"\n{'':32}" + "".join(f"{outcome:>8}" for outcome in OUTCOMES))
    for name, several in [*sorted(counts.items()), ("all", sum(counts.values(), Counter[str]()))]:
        print(f"{name:32}" + "".join(f"{several[outcome]:8}" for outcome in OUTCOMES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
