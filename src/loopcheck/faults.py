"""What a rule's `fault.py` breaks right code with: `plant(script)` names the places where its bug could be made, and the edits.

    def plant(script: Script) -> Seeds:
        for block, at in script.statements("set_epoch"):
            yield block[at], [script.gone(block[at])]

Each is one bug, as somebody would have got it wrong, and leaves the other statements on their rows. `ALSO` there names other
rules that may be the ones to tell it. `python -m loopcheck.seeding` asks which are told.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

Edit = tuple[slice, bytes]
"""A part of the source, in bytes, and what stands in its place."""
Seeds = Iterator[tuple[ast.stmt | ast.expr, list[Edit]]]
"""The place to name, and what is changed for it."""
CLIPS = ("clip_grad_norm_", "clip_grad_norm", "clip_grad_value_")


class Script:
    """A file that is to be broken."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.tree = ast.parse(source)
        self._starts = [0]
        for line in source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.stmt | ast.expr | ast.keyword) -> slice:
        """Where a node stands in the source, in bytes."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return slice(self._starts[node.lineno - 1] + node.col_offset, self._starts[node.end_lineno - 1] + node.end_col_offset)

    def text(self, node: ast.stmt | ast.expr | ast.keyword) -> bytes:
        return self.source[self.span(node)]

    def edited(self, edits: Iterable[Edit]) -> bytes:
        """The source with parts replaced; none lies in another."""
        source = self.source
        for span, text in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
            source = source[: span.start] + text + source[span.stop :]
        return source

    def instead(self, node: ast.stmt | ast.expr | ast.keyword, text: bytes) -> Edit:
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
            if isinstance(node, ast.Assign) and any(name_of(call.func) in names for call in calls_in(node.value))
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


def calls_in(node: ast.AST) -> Iterator[ast.Call]:
    """All calls of an expression or a statement."""
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))


def schedules(name: str) -> bool:
    """Whether something is a scheduler, by its name."""
    return "sched" in name.lower() or name.lower().endswith(("warmup", "lr"))


def steps(statement: ast.stmt) -> bool:
    """Whether an optimizer steps, by its looks: itself, or through a scaler."""
    if called(statement) != "step" or schedules(receiver(statement)):
        return False
    return not with_arguments(statement) or any(word in receiver(statement).lower() for word in ("opt", "scaler"))


def after(block: Sequence[ast.stmt], at: int, wanted: Callable[[ast.stmt], bool]) -> ast.stmt | None:
    """The first statement of a block behind another that is wanted."""
    return next((statement for statement in block[at + 1 :] if wanted(statement)), None)


def with_arguments(statement: ast.stmt) -> bool:
    """Whether what a statement calls is given anything."""
    call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    return isinstance(call, ast.Call) and bool(call.args or call.keywords)


def switches_off(node: ast.AST) -> list[ast.expr]:
    """What keeps autograd from recording a block or a function."""
    managers = [item.context_expr for item in node.items] if isinstance(node, ast.With) else getattr(node, "decorator_list", [])
    return [
        each for each in managers if name_of(each.func if isinstance(each, ast.Call) else each) in ("no_grad", "inference_mode")
    ]


def activated(script: Script, criteria: Sequence[str], functions: Sequence[str], activation: bytes) -> Seeds:
    """What criteria of some classes, and some functions, are given first goes through an activation before."""
    if not re.search(rb"^import torch\b(?!\.)", script.source, re.M):
        return
    names = script.made_by(*criteria)
    for call in script.calls(*names, *functions):
        if len(call.args) >= 2 and isinstance(call.args[0], ast.Name):
            yield call, [script.instead(call.args[0], activation % script.text(call.args[0]))]
