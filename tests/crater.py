"""What a change of a rule does to the world: `python tests/crater.py` lints pinned public packages and tells what is new.

    python tests/crater.py               against the list of findings that is kept
    python tests/crater.py trl timm==    packages whose pin holds a word
    python tests/crater.py --update      and writes the list anew: what stays keeps its verdict, what is new is unread
    python tests/crater.py --verdicts    lints nothing: how many findings of the list are right, by rule and confidence

`+` is a finding that the list lacks, `-` one that is gone, `~` one told with another confidence, and `!` a package that could
not be judged, in time or at all: its part of the list stays as it is. Exit status 1 where anything differs. The list is to be
read and edited: a verdict is `right`, `wrong: why`, `debatable: why` or `unread`. Packages are fetched once, into a folder of
the user's, and nothing of them is installed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import resource
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from releases import CACHE, WORLD, Pin, packages, unpacked

SECONDS = 120
"""A package may take so long."""
MEMORY = 8 << 30
"""And so many bytes."""
UNREAD = "unread"
VERDICTS = ("right", "wrong", "debatable", UNREAD)
BUGS = "all bugs"


@dataclass(frozen=True)
class Seen:
    """A finding in a package. text: a digest of its line, for nothing of a package is kept but names and places."""

    path: str
    row: int
    function: str
    rule: str
    group: str
    confidence: str
    text: str
    verdict: str = UNREAD

    @classmethod
    def read(cls, line: str) -> Seen:
        """The finding that `str` wrote. Raises ValueError where it is none."""
        rule, confidence, group, place, function, text, verdict = line.strip().split("\t")
        path, _, row = place.rpartition(":")
        if verdict.partition(":")[0] not in VERDICTS:
            raise ValueError(f"no verdict: {verdict!r}")
        return cls(path, int(row), function, rule, group, confidence, text, verdict)

    def __str__(self) -> str:
        place = f"{self.path}:{self.row}"
        return "\t".join((self.rule, self.confidence, self.group, place, self.function, self.text, self.verdict))


Key = Callable[[Seen], object]
SAME_SOURCE: tuple[Key, ...] = (lambda seen: (seen.path, seen.row, seen.rule),)
"""What tells that two findings are one, while the package is the same."""
NEW_SOURCE: tuple[Key, ...] = (
    lambda seen: (seen.path, seen.row, seen.function, seen.rule, seen.text),
    lambda seen: (seen.path, seen.function, seen.rule, seen.text),
    lambda seen: (seen.function, seen.rule, seen.text),
)
"""When it is another version: the nearest first, for lines move, and files do."""


@dataclass(frozen=True)
class Change:
    """From the findings of a list to those of now, which have their verdicts."""

    now: tuple[Seen, ...]
    added: tuple[Seen, ...]
    gone: tuple[Seen, ...]
    altered: tuple[Seen, ...]

    def told(self) -> list[str]:
        """A line for each difference."""
        marked = [("+", self.added), ("-", self.gone), ("~", self.altered)]
        return [f"{mark} {seen}".expandtabs(1) for mark, several in marked for seen in several]


def change(before: Sequence[Seen], now: Sequence[Seen], keys: Sequence[Key] = SAME_SOURCE) -> Change:
    """What became of each finding, and each verdict: those that agree in the first key are one, then in the next."""
    left, new, found = list(before), list(now), dict[int, Seen]()
    for key in keys:
        waiting = defaultdict[object, list[Seen]](list)
        for seen in left:
            waiting[key(seen)].append(seen)
        for at, seen in enumerate(new):
            if at not in found and waiting[key(seen)]:
                found[at] = waiting[key(seen)].pop(0)
        left = [seen for several in waiting.values() for seen in several]
    judged = [replace(seen, verdict=found[at].verdict) if at in found else seen for at, seen in enumerate(new)]
    return Change(
        tuple(judged),
        tuple(seen for at, seen in enumerate(judged) if at not in found),
        tuple(left),
        tuple(seen for at, seen in enumerate(judged) if at in found and seen.confidence != found[at].confidence),
    )


# --- the list


Listed = dict[str, tuple[str, list[Seen]]]
"""By name of package: which version, and its findings."""


def read(text: str) -> Listed:
    """The list: a line for each package, followed by its findings, which are indented."""
    listed: Listed = {}
    name = ""
    for line in text.splitlines():
        if line.startswith("\t"):
            listed[name][1].append(Seen.read(line))
        else:
            name, _, version = line.partition(" ")
            listed[name] = version, []
    return listed


def write(listed: Listed) -> str:
    """The list as `read` takes it, sorted, for differences to be small."""
    lines = []
    for name in sorted(listed, key=str.lower):
        version, several = listed[name]
        lines.append(f"{name} {version}\n")
        lines.extend(f"\t{seen}\n" for seen in sorted(several, key=lambda seen: (seen.path, seen.row, seen.rule)))
    return "".join(lines)


def table(listed: Mapping[str, tuple[str, Sequence[Seen]]]) -> str:
    """For each rule and confidence, how many findings got which verdict; of the bugs of each confidence, what share was right of
    those that are right or wrong."""
    counts = Counter[tuple[str, str, str]]()
    for _, several in listed.values():
        for seen in several:
            rules = (seen.rule, BUGS) if seen.group == "bug" else (seen.rule,)
            counts.update((rule, seen.confidence, seen.verdict.partition(":")[0]) for rule in rules)
    lines = [f"{'rule':38} {'confidence':10} " + " ".join(f"{verdict:>9}" for verdict in VERDICTS)]
    for rule, confidence in sorted({(rule, confidence) for rule, confidence, _ in counts}):
        numbers = " ".join(f"{counts[rule, confidence, verdict]:9}" for verdict in VERDICTS)
        right, judged = (sum(counts[rule, confidence, verdict] for verdict in told) for told in (VERDICTS[:1], VERDICTS[:2]))
        share = f"  {right / judged:.2f} right" if rule == BUGS and judged else ""
        lines.append(f"{rule:38} {confidence:10} {numbers}{share}")
    return "\n".join(lines)


# --- a package


class NotJudged(Exception):
    """A package of which nothing can be said, and why."""


def lint(tree: Path, seconds: float) -> list[Seen]:
    """The findings of a folder, and what loopcheck itself failed at. Raises NotJudged."""
    options = ("--exit-zero", "--no-cache", "--jobs", "1", "--min-confidence", "low", "--output-format", "json")
    command = [sys.executable, "-m", "loopcheck", "check", *options, str(tree)]
    try:
        ended = subprocess.run(command, stdout=subprocess.PIPE, timeout=seconds, preexec_fn=_in_bounds, check=False)
    except subprocess.TimeoutExpired:
        raise NotJudged(f"over {seconds:g} s") from None
    if ended.returncode not in (0, 3):  # 3: a package may hold what is not Python
        raise NotJudged(f"loopcheck ended with {ended.returncode}")
    return located(tree, json.loads(ended.stdout))


def _in_bounds() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most), most))


def located(tree: Path, entries: Iterable[Mapping[str, Any]]) -> list[Seen]:
    """The entries of a report, with the functions that they stand in. What is not Python is no finding."""
    sources: dict[str, str] = {}
    seen = []
    for entry in entries:
        if entry["name"] in ("syntax-error", "unreadable"):
            continue
        path = Path(entry["filename"])
        if entry["filename"] not in sources:
            sources[entry["filename"]] = path.read_text(encoding="utf-8", errors="replace")
        source, row = sources[entry["filename"]], entry["location"]["row"]
        seen.append(
            Seen(
                path.relative_to(tree).as_posix(),
                row,
                enclosing(source, row),
                f"{entry['code']} {entry['name']}",
                entry["severity"],
                entry["confidence"],
                digest(source, row),
            )
        )
    return seen


def enclosing(source: str, row: int) -> str:
    """The qualified name of the function or class around a line; `-` outside of all."""
    try:
        node: ast.AST = ast.parse(source)
    except (SyntaxError, ValueError):  # another Python's
        return "-"
    names = []
    while inner := next((each for each in _definitions(node) if _first(each) <= row <= (each.end_lineno or row)), None):
        names.append(inner.name)
        node = inner
    return ".".join(names) or "-"


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(node: ast.AST) -> Iterable[Definition]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Definition):
            yield child
        else:
            yield from _definitions(child)


def _first(node: Definition) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def digest(source: str, row: int) -> str:
    """What a line says, whatever its indentation."""
    line = source.splitlines()[row - 1].strip()
    return hashlib.sha256(line.encode()).hexdigest()[:8]


# --- the command


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("words", nargs="*", metavar="WORD", help="only packages whose pin holds it")
    parser.add_argument("--update", action="store_true", help="write the list anew")
    parser.add_argument("--verdicts", action="store_true", help="lint nothing, and count what is known of the list")
    parser.add_argument("--cache-dir", type=Path, default=CACHE, metavar="DIR", help="where archives are kept")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for a package at most (default %(default)s)")
    parser.add_argument("--world", type=Path, default=WORLD, metavar="DIR", help="where packages.txt and findings.txt are")
    asked = parser.parse_args(arguments)
    findings = asked.world / "findings.txt"
    listed = read(findings.read_text(encoding="utf-8")) if findings.exists() else {}
    if asked.verdicts:
        print(table(listed))
        return 0
    differs = False
    for pin in packages(asked.world):
        if asked.words and not any(word in str(pin) for word in asked.words):
            continue
        differs |= _follow(pin, listed, asked.cache_dir, asked.seconds)
        if asked.update:  # at once, for the world is large
            findings.write_text(write(listed), encoding="utf-8")
    return int(differs and not asked.update)


def _follow(pin: Pin, listed: Listed, cache: Path, seconds: float) -> bool:
    """Whether a package is not as listed, which is then told; from now on it is."""
    version, before = listed.get(pin.name, ("", []))
    try:
        with unpacked(pin, cache) as tree:
            now = lint(tree, seconds)
    except (NotJudged, subprocess.CalledProcessError) as reason:
        why = reason if isinstance(reason, NotJudged) else "it cannot be fetched from here"
        print(f"! {pin.name}: {why}", flush=True)
        return False
    came = change(before, now, SAME_SOURCE if version == pin.version else NEW_SOURCE)
    listed[pin.name] = pin.version, list(came.now)
    if version != pin.version:
        print(f"~ {pin.name}: {pin.version}, {f'and the list is of {version}' if version else 'not in the list'}", flush=True)
    for line in came.told():
        print(line.replace(" ", f" {pin.name}: ", 1), flush=True)
    return bool(came.told()) or version != pin.version


if __name__ == "__main__":
    sys.exit(main())
