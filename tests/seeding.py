"""How many of the bugs that are put into right code are told: `python tests/seeding.py TREE ...` breaks one place at a time.

Error seeding: each of FAULTS breaks a statement or an expression as somebody would have got it wrong, in every file of the
trees, and `loopcheck check` is asked whether it tells one more finding of the fault's rules than before. A line for each seed,
and a table. What is not told may well be no bug where it stands, a network without dropout in train mode, or stand in code that
cannot run: a share is a lower bound, and each line is to be read.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

Edit = tuple[slice, bytes]
"""A part of the source, in bytes, and what stands in its place."""


class Script:
    """A file that is to be broken."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.stmt | ast.expr) -> slice:
        """Where a node stands in the source, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return slice(self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset)

    def text(self, node: ast.stmt | ast.expr) -> bytes:
        return self.source[self.span(node)]

    def edited(self, edits: Iterable[Edit]) -> bytes:
        """The source with parts replaced; none lies in another."""
        source = self.source
        for span, text in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
            source = source[: span.start] + text + source[span.stop :]
        return source

    def instead(self, node: ast.stmt | ast.expr, text: bytes) -> Edit:
        """A node replaced."""
        return self.span(node), text

    def gone(self, statement: ast.stmt) -> Edit:
        """A statement left out; the lines after it stay where they are."""
        return self.instead(statement, b"pass" + b"\n" * self.text(statement).count(b"\n"))

    def swapped(self, one: ast.stmt, other: ast.stmt) -> list[Edit]:
        return [self.instead(one, self.text(other)), self.instead(other, self.text(one))]

    @cached_property
    def blocks(self) -> list[list[ast.stmt]]:
        """All lists of statements."""
        return [
            block
            for node in ast.walk(self.tree)
            for name in ("body", "orelse", "finalbody")
            if isinstance(block := getattr(node, name, None), list) and block and isinstance(block[0], ast.stmt)
        ]

    def statements(self, *names: str) -> Iterator[tuple[list[ast.stmt], int]]:
        """Where a statement is a call of one of some names, or binds what it gives: its block, and its place there."""
        for block in self.blocks:
            for at, statement in enumerate(block):
                if called(statement) in names:
                    yield block, at

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """All calls of functions and methods of these names."""
        return (node for node in ast.walk(self.tree) if isinstance(node, ast.Call) and name_of(node.func) in names)

    def made_by(self, *names: str) -> set[str]:
        """The names and attributes that are bound to what one of these functions gives."""
        return {
            name_of(target)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign) and any(name_of(call.func) in names for call in _calls_in(node.value))
            for target in node.targets
        } - {""}


def name_of(node: ast.AST) -> str:
    """The last part of a dotted name; nothing of what is none."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def called(statement: ast.stmt) -> str:
    """What a statement calls, where that is all that it does."""
    call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    return name_of(call.func) if isinstance(call, ast.Call) else ""


def receiver(statement: ast.stmt) -> str:
    """Whose method a statement calls: the last part of the name."""
    call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    return name_of(call.func.value) if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else ""


def _calls_in(node: ast.AST) -> Iterator[ast.Call]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))


def _schedules(name: str) -> bool:
    return "sched" in name.lower() or name.lower().endswith(("warmup", "lr"))


def _steps(statement: ast.stmt) -> bool:
    """Whether an optimizer steps, by its looks."""
    return (
        called(statement) == "step"
        and not _schedules(receiver(statement))
        and ("opt" in receiver(statement).lower() or receiver(statement).lower().startswith("scaler"))
    )


def _after(block: Sequence[ast.stmt], at: int, wanted: Callable[[ast.stmt], bool]) -> ast.stmt | None:
    return next((statement for statement in block[at + 1 :] if wanted(statement)), None)


CLIPS = ("clip_grad_norm_", "clip_grad_norm", "clip_grad_value_")
Seeds = Iterator[tuple[ast.stmt | ast.expr, list[Edit]]]
"""The place to name, and what is changed for it."""


def clip_after_step(script: Script) -> Seeds:
    for block, at in script.statements(*CLIPS):
        if step := _after(block, at, _steps):
            yield block[at], script.swapped(block[at], step)


def clip_before_backward(script: Script) -> Seeds:
    for block, at in script.statements("backward"):
        if clip := _after(block, at, lambda statement: called(statement) in CLIPS):
            yield clip, script.swapped(block[at], clip)


def never_cleared(script: Script) -> Seeds:
    places = [block[at] for block, at in script.statements("zero_grad")]
    if len(places) == 1:
        yield places[0], [script.gone(places[0])]


def cleared_before_step(script: Script) -> Seeds:
    for block, at in script.statements("zero_grad"):
        backward = _after(block, at, lambda statement: called(statement) == "backward")
        if backward and _after(block, block.index(backward), _steps):
            yield (
                block[at],
                [script.gone(block[at]), script.instead(backward, b"; ".join(map(script.text, (backward, block[at]))))],
            )


def stepped_before_backward(script: Script) -> Seeds:
    for block, at in script.statements("backward"):
        if step := _after(block, at, _steps):
            yield step, script.swapped(block[at], step)


def scheduled_first(script: Script) -> Seeds:
    for block, at in script.statements("step"):
        if _steps(block[at]) and (
            schedule := _after(block, at, lambda statement: called(statement) == "step" and _schedules(receiver(statement)))
        ):
            yield schedule, script.swapped(block[at], schedule)


def never_in_eval(script: Script) -> Seeds:
    for block, at in script.statements("eval"):
        if receiver(block[at]):
            yield block[at], [script.gone(block[at])]


def left_in_eval(script: Script) -> Seeds:
    if any(script.statements("eval")):
        for block, at in script.statements("train"):
            if receiver(block[at]) and not _arguments(block[at]):
                yield block[at], [script.gone(block[at])]


def _arguments(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    return isinstance(call, ast.Call) and bool(call.args or call.keywords)


def recorded_evaluation(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        for manager in _switches_off(node):
            assert isinstance(node, ast.stmt)
            if _NUMBERS.search(script.text(node)):
                continue  # torch refuses that of a tensor with a graph: nobody can have left it out
            if not isinstance(node, ast.With):
                yield node, [(slice(script.span(manager).start - 1, script.span(manager).stop), b"")]
            elif len(node.items) == 1:
                yield node, [(slice(script.span(node).start, script.span(manager).stop), b"if True")]


_NUMBERS = re.compile(rb"(?<!detach\(\))(?<!cpu\(\))\.numpy\(\)|(?<!detach\(\))\.cpu\(\)\.numpy\(\)")


def _switches_off(node: ast.AST) -> list[ast.expr]:
    """What keeps autograd from recording a block or a function."""
    managers = [item.context_expr for item in node.items] if isinstance(node, ast.With) else getattr(node, "decorator_list", [])
    return [
        each for each in managers if name_of(each.func if isinstance(each, ast.Call) else each) in ("no_grad", "inference_mode")
    ]


def kept_graphs(script: Script) -> Seeds:
    unrecorded = {inner for node in ast.walk(script.tree) if _switches_off(node) for inner in ast.walk(node)}
    for node in ast.walk(script.tree):
        if node in unrecorded:
            continue
        value = None
        if (isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add)) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and name_of(node.value.func) == "append"
        ):
            value = node.value
        if value is not None:
            for call in _calls_in(value):
                if (
                    isinstance(call.func, ast.Attribute)
                    and call.func.attr == "item"
                    and "loss" in name_of(call.func.value).lower()
                ):
                    yield call, [script.instead(call, script.text(call.func.value))]
                    break


def one_order(script: Script) -> Seeds:
    for block, at in script.statements("set_epoch"):
        yield block[at], [script.gone(block[at])]


def never_updated(script: Script) -> Seeds:
    if script.made_by("GradScaler"):
        for block, at in script.statements("update"):
            if "scaler" in receiver(block[at]).lower():
                yield block[at], [script.gone(block[at])]


def clipped_scaled(script: Script) -> Seeds:
    if any(script.calls(*CLIPS)):
        for block, at in script.statements("unscale_"):
            yield block[at], [script.gone(block[at])]


def stepped_past_scaler(script: Script) -> Seeds:
    for call in script.calls("step"):
        if isinstance(call.func, ast.Attribute) and "scaler" in name_of(call.func.value).lower() and len(call.args) == 1:
            yield call, [script.instead(call, script.text(call.args[0]) + b".step()")]


def backward_unscaled(script: Script) -> Seeds:
    if script.made_by("GradScaler"):
        for call in script.calls("scale"):
            if len(call.args) == 1 and "scaler" in script.text(call.func).decode(errors="replace").lower():
                yield call, [script.instead(call, script.text(call.args[0]))]


def undivided(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        divisor: ast.expr | None = None
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div) and "loss" in name_of(node.target).lower():
            divisor = node.value
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Div):
            same = name_of(node.value.left) == name_of(node.targets[0])
            divisor = node.value.right if same and "loss" in name_of(node.value.left).lower() else None
        if divisor is not None and "accum" in script.text(divisor).decode(errors="replace").lower():
            assert isinstance(node, ast.stmt)
            yield node, [script.gone(node)]


def _activated(script: Script, criteria: Sequence[str], functions: Sequence[str], activation: bytes) -> Seeds:
    if not re.search(rb"^import torch\b(?!\.)", script.source, re.M):
        return
    names = script.made_by(*criteria)
    for call in script.calls(*names, *functions):
        if len(call.args) >= 2 and isinstance(call.args[0], ast.Name):
            yield call, [script.instead(call.args[0], activation % script.text(call.args[0]))]


def probabilities_to_cross_entropy(script: Script) -> Seeds:
    return _activated(script, ["CrossEntropyLoss"], ["cross_entropy"], b"torch.softmax(%s, dim=1)")


def probabilities_to_logits(script: Script) -> Seeds:
    return _activated(script, ["BCEWithLogitsLoss"], ["binary_cross_entropy_with_logits"], b"torch.sigmoid(%s)")


def plain_list(script: Script) -> Seeds:
    for call in script.calls("ModuleList"):
        yield call, [script.instead(call, script.text(call.args[0]) if call.args else b"[]")]


def live_weights(script: Script) -> Seeds:
    for call in script.calls("deepcopy"):
        if call.args and script.text(call.args[0]).endswith(b".state_dict()"):
            yield call, [script.instead(call, script.text(call.args[0]))]


def plateau_of_nothing(script: Script) -> Seeds:
    names = script.made_by("ReduceLROnPlateau")
    for call in script.calls("step"):
        if isinstance(call.func, ast.Attribute) and name_of(call.func.value) in names and call.args:
            yield call, [script.instead(call.args[0], b"")]


def plateau_the_wrong_way(script: Script) -> Seeds:
    for call in script.calls("ReduceLROnPlateau"):
        for value in [*call.args[1:2], *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]:
            if isinstance(value, ast.Constant) and value.value in ("min", "max"):
                yield call, [script.instead(value, b'"max"' if value.value == "min" else b'"min"')]


def shuffled_sampler(script: Script) -> Seeds:
    for call in script.calls("DataLoader"):
        given = {keyword.arg: keyword.value for keyword in call.keywords}
        if "sampler" in given and "shuffle" not in given and "train" in script.text(call).decode(errors="replace"):
            sampler = given["sampler"]
            yield call, [script.instead(sampler, script.text(sampler) + b", shuffle=True")]


def dropout_always(script: Script) -> Seeds:
    for call in script.calls("dropout"):
        for keyword in call.keywords:
            if keyword.arg == "training" and script.text(keyword.value) == b"self.training":
                yield call, [script.instead(keyword.value, b"True")]


def one_too_early(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Mod)
            and "accum" in script.text(node.right).decode(errors="replace")
        ):
            left = node.left
            if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add) and isinstance(left.left, ast.Name):
                yield node, [script.instead(left, script.text(left.left))]


def optimizer_left_in_file(script: Script) -> Seeds:
    for block, at in script.statements("load_state_dict"):
        if "opt" in receiver(block[at]).lower():
            yield block[at], [script.gone(block[at])]


def saved_by_all(script: Script) -> Seeds:
    for node in ast.walk(script.tree):
        if isinstance(node, ast.If) and not node.orelse and any(name_of(call.func) == "save" for call in _calls_in(node)):
            test = script.text(node.test).decode(errors="replace")
            if any(word in test for word in ("rank", "is_main", "master")):
                yield node, [script.instead(node.test, b"True")]


@dataclass(frozen=True)
class Fault:
    """A way to get right code wrong, and the rules of which one is to tell it."""

    plant: Callable[[Script], Seeds]
    rules: frozenset[str]

    @property
    def name(self) -> str:
        return self.plant.__name__

    @property
    def families(self) -> set[str]:
        return {rule[:3] for rule in self.rules}


FAULTS = tuple(
    Fault(plant, frozenset(rules.split()))
    for plant, rules in [
        (clip_after_step, "LC101"),
        (clip_before_backward, "LC102"),
        (never_cleared, "LC103"),
        (cleared_before_step, "LC104"),
        (stepped_before_backward, "LC105"),
        (scheduled_first, "LC501"),
        (never_in_eval, "LC601 LC603"),
        (left_in_eval, "LC603 LC604"),
        (recorded_evaluation, "LC602 LC804"),
        (kept_graphs, "LC804"),
        (one_order, "LC701"),
        (never_updated, "LC203"),
        (clipped_scaled, "LC201"),
        (stepped_past_scaler, "LC202"),
        (backward_unscaled, "LC204"),
        (undivided, "LC301"),
        (probabilities_to_cross_entropy, "LC801"),
        (probabilities_to_logits, "LC802"),
        (plain_list, "LC405"),
        (live_weights, "LC904"),
        (plateau_of_nothing, "LC505"),
        (plateau_the_wrong_way, "LC508"),
        (shuffled_sampler, "LC702"),
        (dropout_always, "LC606"),
        (one_too_early, "LC309"),
        (optimizer_left_in_file, "LC903"),
        (saved_by_all, "LC704"),
    ]
)


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
    faults = [f for f in FAULTS if not asked.fault or any(word in f"{f.name} {' '.join(f.rules)}" for word in asked.fault)]
    counts = defaultdict[str, Counter[str]](Counter)
    for tree in asked.trees:
        for seed, outcome in follow(tree.resolve(), faults, asked.most):
            counts[seed.fault.name][outcome] += 1
            print(f"{outcome:6} {seed.fault.name:32} {tree / seed.path}:{seed.row}", flush=True)
    print(f"\n{'':32}" + "".join(f"{outcome:>8}" for outcome in OUTCOMES))
    for name, several in [*sorted(counts.items()), ("all", sum(counts.values(), Counter[str]()))]:
        print(f"{name:32}" + "".join(f"{several[outcome]:8}" for outcome in OUTCOMES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
