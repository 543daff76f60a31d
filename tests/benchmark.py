"""What judging costs, and how the cost grows: `python tests/benchmark.py [TREE ...]`.

Without trees, the Python files of RELEASES are taken, pinned, from PyPI. Of each tree the CPU time, user and system, of
a whole process of `loopcheck check` that remembers nothing and works alone is set against bare `ast.parse` of every Python file:

    ratio = (CPU of loopcheck - START) / CPU of ast.parse        at most BAR

Both are measured in one go on one machine, so that the ratio means the same on any.
"""

from __future__ import annotations

import argparse
import ast
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import releases

from loopcheck import packs
from loopcheck.job import Job, work
from loopcheck.rule import Rule

RELEASES = ("timm", "accelerate", "trl", "sentence-transformers", "peft")
"""Projects that train, as PyPI has their sources; their versions are those of the crater."""
BAR = 5.0
START = 0.4
"""Seconds of CPU that any run may take before it judges: Python, the rules, the parser."""
SLACK = 0.15
"""So far may a cost be from growing as its subject does."""
LARGEST = {"files": 160, "functions": 64, "options": 12}
"""How many of each subject the growth is followed to."""


@dataclass(frozen=True)
class Tree:
    """What a tree of files costs, in seconds of CPU."""

    name: str
    files: int
    ast: float
    loopcheck: float

    @property
    def ratio(self) -> float:
        return (self.loopcheck - START) / self.ast


@dataclass(frozen=True)
class Growth:
    """The cost of a subject, by how many there are of it."""

    subject: str
    seconds: dict[int, float]

    @property
    def worst(self) -> float:
        """The largest factor by which the cost of one more is above that of the first ones, over all doublings: 1 is linear."""
        return max(self.seconds[2 * n] / (2 * self.seconds[n]) for n in self.seconds if 2 * n in self.seconds)


# --- trees


def tree(folder: Path, name: str, times: int) -> Tree:
    """The best of several runs each, for others may use the machine."""
    sources = [file.read_bytes() for file in sorted(folder.rglob("*.py")) if file.is_file()]
    command = ("check", "--exit-zero", "--no-cache", "--jobs", "1", str(folder))
    return Tree(name, len(sources), best(lambda: _parsed(sources), times), best(lambda: process(*command), times))


def _parsed(sources: Sequence[bytes]) -> float:
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for source in sources:
            with suppress(SyntaxError, ValueError):  # templates, and tests of what cannot be parsed
                ast.parse(source)
    return time.process_time() - start


@cache
def _environment() -> dict[str, str]:
    """The variables of a run of loopcheck as it is installed, with its bytecode, whatever is set for those who develop it."""
    kept = tempfile.mkdtemp(prefix="loopcheck-bytecode-")
    atexit.register(shutil.rmtree, kept, ignore_errors=True)
    found = {**os.environ, "PYTHONPYCACHEPREFIX": kept}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    with project([of_500_lines()]) as paths:  # it has findings, so that all is loaded
        command = [sys.executable, "-m", "loopcheck", "check", "--exit-zero", "--no-cache", str(paths[0])]
        subprocess.run(command, env=found, stdout=subprocess.DEVNULL, check=True)
    return found


def process(*arguments: str) -> float:
    """The CPU of a run of loopcheck, from its first instruction to its last."""
    command = [sys.executable, "-m", "loopcheck", *arguments]
    running = subprocess.Popen(command, env=_environment(), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode not in (0, 3):  # a tree may hold what cannot be analysed
        raise SystemExit(f"loopcheck {' '.join(arguments)} ended with {running.returncode}")
    return usage.ru_utime + usage.ru_stime


def best(measure: Callable[[], float], times: int) -> float:
    return min(measure() for _ in range(times))


# --- growth

HEAD = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.inner = nn.Linear(8, width)
        self.drop = nn.Dropout(0.1)
        self.outer = nn.Linear(width, 2)

    def forward(self, x):
        return self.outer(self.drop(torch.relu(self.inner(x))))


def accuracy(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    model.train()
    return right / total
"""
FUNCTION = """\


def fit{n}(args, train_loader, val_loader):
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        for step, (x, y) in enumerate(train_loader):
            loss = criterion(model(x), y) / args.window
            loss.backward()
            if (step + 1) % args.window == 0:
                nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)
                optimizer.step()
                optimizer.zero_grad()
        scheduler.step()
        print(epoch, accuracy(model, val_loader))
"""
OPTIONS = """\


def fit(args, train_loader):
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
{losses}        loss.backward()
{clips}        optimizer.step()
"""
LOSS = "        if args.penalty{n}:\n            loss = loss + args.weight{n} * model.inner.weight.norm()\n"
CLIP = "        if args.limit{n}:\n            nn.utils.clip_grad_value_(model.parameters(), args.limit{n})\n"


def scripts(subject: str, n: int) -> list[str]:
    """The text of each file of a project that holds n of a subject."""
    match subject:
        case "files":
            return [HEAD + FUNCTION.format(n=0)] * n
        case "functions":
            return [HEAD + "".join(FUNCTION.format(n=each) for each in range(n))]
        case _:
            losses, clips = ("".join(text.format(n=each) for each in range(n)) for text in (LOSS, CLIP))
            return [HEAD + OPTIONS.format(losses=losses, clips=clips)]


def growth(subject: str, sizes: Sequence[int], times: int = 3) -> Growth:
    """What it costs to judge more and more of a subject, in this process. All sizes in turn, for the machine has moods."""
    judged(scripts(subject, 2))  # what is loaded at first use is no part of it
    rounds = [{n: judged(scripts(subject, n)) for n in sizes} for _ in range(times)]
    return Growth(subject, {n: min(each[n] for each in rounds) for n in sizes})


def judged(texts: Sequence[str], rules: Sequence[Rule] | None = None) -> float:
    """The CPU of judging files that were never read before."""
    with project(texts) as paths:
        start = time.process_time()
        outcomes = work(paths, Job(rules or packs.rules()))
        spent = time.process_time() - start
    problems = [problem for outcome in outcomes for problem in outcome.report.problems]
    assert not problems, problems[0].message
    return spent


@contextmanager
def project(texts: Sequence[str]) -> Iterator[list[Path]]:
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name, f"train{number}.py") for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        Path(name, "setup.py").touch()
        yield paths


def doublings(largest: int) -> list[int]:
    """From few to the largest, each twice the one before."""
    return [*doublings(largest // 2), largest] if largest >= 6 else [largest]


def twice_the_rules(times: int) -> float:
    """By what factor judging costs more with a second copy of every rule."""
    rules = packs.rules()
    again = [
        replace(rule, code=f"{rule.code}0", name=f"{rule.name}-again", unless=tuple(f"{name}-again" for name in rule.unless))
        for rule in rules
    ]
    texts = scripts("files", 20)
    judged(texts)
    return best(lambda: judged(texts, [*rules, *again]), times) / best(lambda: judged(texts, rules), times)


def of_500_lines() -> str:
    """A script as long as many are: functions, most of which train nothing."""
    helper = "\n\ndef describe{n}(items):\n    names = [str(item) for item in items]\n    return ', '.join(sorted(names))\n"
    text = HEAD + "".join(FUNCTION.format(n=each) for each in range(4))
    while text.count("\n") < 495:
        text += helper.format(n=text.count("\n"))
    return text


# --- the report


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE")
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="the best of N counts (default 3; trees: 1)")
    parser.add_argument("--cache-dir", type=Path, default=releases.CACHE, metavar="DIR", help="where archives are kept")
    parser.add_argument("--no-trees", action="store_true", help="only growth and start-up")
    asked = parser.parse_args()

    def told(line: str) -> None:
        if not asked.json:
            print(line, flush=True)

    trees: list[Tree] = []
    told(f"{'tree':28} {'files':>6} {'ast s':>8} {'loopcheck s':>12} {'ratio':>7}   bar {BAR:g}")
    for name, unpacked in [] if asked.no_trees else _trees(asked.trees, asked.cache_dir):
        with unpacked as folder:
            each = tree(folder, name, 1)
        trees.append(each)
        mark = "" if each.ratio <= BAR else "   above"
        told(f"{name:28} {each.files:6} {each.ast:8.2f} {each.loopcheck:12.2f} {each.ratio:7.1f}{mark}")
    told(f"\n{'growth: seconds of CPU for n':44} each doubling at most twice, and {SLACK:.0%}")
    grown = []
    for subject, largest in LARGEST.items():
        grown.append(growth(subject, doublings(largest), asked.times))
        series = "  ".join(f"{n}: {seconds:.2f}" for n, seconds in grown[-1].seconds.items())
        mark = "" if grown[-1].worst <= 1 + SLACK else "   above"
        told(f"{subject:12} {series:52} {grown[-1].worst:6.2f}{mark}")
    doubled = twice_the_rules(asked.times)
    told(f"\n{'twice the rules':28} {doubled:6.2f} times the cost")
    start = best(lambda: process("--version"), max(asked.times, 3))
    told(f"{'loopcheck --version':28} {start:6.3f} s")
    with project([of_500_lines()]) as paths:
        script = best(lambda: process("check", "--exit-zero", "--no-cache", str(paths[0])), asked.times)
    told(f"{'a script of 500 lines':28} {script:6.3f} s")
    if asked.json:
        rows = [{**asdict(each), "ratio": each.ratio} for each in trees]
        curves = [{**asdict(each), "worst": each.worst} for each in grown]
        measured = {"trees": rows, "growth": curves, "twice_the_rules": doubled, "version": start, "script": script}
        print(json.dumps({"bar": BAR, "start": START, **measured}, indent=2))
    return int(any(each.ratio > BAR for each in trees) or any(each.worst > 1 + SLACK for each in grown))


def _trees(given: Sequence[Path], cache: Path) -> Iterator[tuple[str, AbstractContextManager[Path]]]:
    for path in given:
        yield str(path), nullcontext(path)
    for pin in [] if given else releases.packages():
        if pin.name in RELEASES:
            yield str(pin), releases.unpacked(pin, cache)


if __name__ == "__main__":
    sys.exit(main())
