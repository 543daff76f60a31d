"""What the reader makes of marked programs: abstract values in print, and a machine that notes those of marked lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

from loopcheck.loop import Decision, Either, Event, Fork, Frame, Leave, Region, Repeat, Role, Seq
from loopcheck.loop import Test as Condition
from loopcheck.read import program
from loopcheck.read.domain.state import State
from loopcheck.read.domain.values import (
    Api,
    Bound,
    Choice,
    Class,
    Const,
    Function,
    Grad,
    Instance,
    Items,
    Later,
    Object,
    Params,
    Partial,
    Scope,
    Stream,
    Super,
    Symbol,
    Tensor,
    Value,
)
from loopcheck.read.front import ir
from loopcheck.read.front.source import Source
from loopcheck.read.interpret import INSTRUCTIONS, functions
from loopcheck.read.interpret.calls import CALLEES
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.library import Library
from loopcheck.read.program import Program, Reader
from loopcheck.read.project import Module

Marks = Mapping[tuple[str, int], str]
"""By the name of a file and a row."""
UNREACHED = "unreached"
_MARK = re.compile(r"\s*#\? (.+)")


def marks(file: Path) -> dict[tuple[str, int], str]:
    """What stands in `#? …` above a line."""
    rows = enumerate(file.read_text(encoding="utf-8").splitlines(), start=2)
    return {(file.name, row): found[1] for row, line in rows if (found := _MARK.fullmatch(line))}


def observed(file: Path, wanted: Iterable[tuple[str, int]], summaries: bool = False) -> dict[tuple[str, int], str]:
    """What marked lines are worth when a file is read, with the files beside it: of several values, each once.

    summaries: what does nothing is not interpreted at each call site.
    """
    met: dict[tuple[str, int], dict[str, None]] = {place: {} for place in wanted}

    def noted(instruction: Instruction) -> Instruction:
        def execute(m: Machine, node: Any) -> object:
            made = instruction(m, node)
            place = Path(m.state.frame.source.path).name, node.span[0]
            if place in met and (m.state.live or isinstance(node, ir.Return)):
                met[place][shown(m.state, _left(m, node))] = None
            return made

        return execute

    watched = dict(INSTRUCTIONS)
    for kind in (ir.Assign, ir.Annotate, ir.Augment, ir.Evaluate, ir.Return):
        watched[kind] = noted(INSTRUCTIONS[kind])
    with ExitStack() as patches:
        patches.enter_context(mock.patch.object(program, "machine", lambda source: _Watched(source, watched, CALLEES)))
        if not summaries:
            patches.enter_context(mock.patch.object(functions, "summary_of", return_value=None))
        Reader(Source.parse(str(file), file.read_bytes(), file.resolve()), _Beside()).program()
    return {place: " | ".join(values) or UNREACHED for place, values in met.items()}


def read(code: str) -> tuple[Machine, Program]:
    """A script's program, and the machine that has read it."""
    reader = Reader(Source.parse("script.py", code.encode()))
    return reader._m, reader.program()


def value_of(m: Machine, name: str) -> str:
    """What a variable of the script is worth at its end."""
    return shown(m.state, m.state.settled(m.state.heap[(m.state.frame, name)]))


class _Watched(Machine):
    """Keeps the values of the expressions that stand alone or are returned."""

    def __init__(self, *tables: Any) -> None:
        super().__init__(*tables)
        self.last: dict[ir.Expression, Value] = {}

    def evaluate(self, node: ir.Expression) -> Value:
        value = self.last[node] = super().evaluate(node)
        return value


class _Beside(Library):
    """The files beside one, but not those that call it."""

    def callers(self, file: Path, names: frozenset[str]) -> list[Program]:
        return []


def _left(m: Machine, node: ir.Assign | ir.Annotate | ir.Augment | ir.Evaluate | ir.Return) -> Value:
    """What a statement bound, was worth or returned."""
    match node:
        case ir.Evaluate(value=value) | ir.Return(value=value):
            assert isinstance(m, _Watched)
            if value is not None and value not in m.last:
                m.evaluate(value)  # of a branch nobody asks what it is worth, or of several expressions
            return Const(None) if value is None else m.last.pop(value)
        case ir.Assign(targets=(target, *_)) | ir.Annotate(target=target) | ir.Augment(target=target):
            return m.evaluate(target)
    raise AssertionError(node)


def shown(state: State, value: Value) -> str:
    """A value in print."""
    match value:
        case Const(literal):
            return repr(literal)
        case Items(values, None):
            return f"[{', '.join(shown(state, each) for each in values)}]"
        case Items(values, keys):
            return f"{{{', '.join(f'{key!r}: {shown(state, each)}' for key, each in zip(keys or (), values, strict=True))}}}"
        case Choice(test, then, other):
            return f"({shown(state, then)} if {getattr(test.key, 'text', test.key)} else {shown(state, other)})"
        case Bound(base, name):
            return f"{shown(state, base)}.{name}"
        case Symbol():
            return _symbol(state, value)
        case Tensor(models=models, scaler=scaler, history=history, open=open, activation=activation):
            parts = [f"models={_names(models)}"] if models else []
            parts += [f"scaler={getattr(scaler, 'role', None) and scaler.role.name}"] if scaler else []  # type: ignore[union-attr]
            parts += [f"{each.how} by {each.written}" if each.written and each.how != "hidden" else each.how for each in history]
            each = [activation] if isinstance(activation, str) else [one or "-" for one in activation]
            parts += ["/".join(each)] if activation else []
        case Params(models, whole, grouped, open):
            parts = [_names(models)] if models else []
            parts += [word for word, holds in (("some", not whole), ("grouped", grouped)) if holds]
        case Stream(of, start, numbered, bound):
            parts = [shown(state, each) for each in of] + ([f"below {bound}"] if bound else [])
            parts += ["numbered"] if numbered else []
            parts += [f"from {start}"] if start != 0 else []
            return f"Stream({', '.join(parts)})"
        case Partial(function, args, keywords):
            named = [f"{name}={shown(state, each)}" for name, each in keywords]
            return f"Partial({', '.join([shown(state, function), *(shown(state, each) for each in args), *named])})"
        case _:
            return f"{type(value).__name__}({_said(state, value)})"
    parts += ["open"] if open else []
    return f"{type(value).__name__}({', '.join(parts)})"


def _symbol(state: State, value: Symbol) -> str:
    counter = not state.counters.isdisjoint(value.names)
    kind = "Counter" if counter else "Symbol"
    parts = [value.name or value.term.text]
    parts += [value.role.kind] if value.role else []
    parts += ["from 0"] if state.begins.get(value.term) == 0 else []
    parts += [f"by default {value.default.value!r}"] if value.default else []
    return f"{kind}({', '.join(parts)})"


def _said(state: State, value: Value) -> str:
    match value:
        case Api(name) | Class(node=ir.Class(name=name)):
            return name
        case Module(name) | Later(Module(name)):
            return name
        case Object(role):
            return _role(role)
        case Instance(cls, _, role):
            return f"{cls.name}, {_role(role)}" if role else cls.name
        case Grad(of):
            return shown(state, of)
        case Scope(grad):
            return f"grad={grad}"
        case Function(code, _, me):
            return f"{code.title} of {shown(state, me)}" if me is not None else code.title
        case Super(me, after):
            return f"{me.cls.name}, {after[0].name if after else None}"
    raise AssertionError(value)


def told(region: Region, *facts: str) -> str:
    """Events in print, with these facts: `{a loop}`, `(a call)`, `[test: one arm | the other]`."""
    match region:
        case Event(verb, on, _, known):
            said = [f"{fact}={known[fact]}" for fact in facts if fact in known]
            return f"{verb}({', '.join([_names(on) or '?', *said])})"
        case Seq(parts):
            return " ".join(filter(None, (told(part, *facts) for part in parts)))
        case Either(test, then, other):
            arms = told(then, *facts), told(other, *facts)
            return f"[{_asked(test)}: {' | '.join(arms)}]".replace(" | ]", "]") if any(arms) else ""
        case Repeat(body, over=over):
            return f"{{{told(body, *facts)}}}" + (f" else {ending}" if (ending := told(over, *facts)) else "")
        case Frame(body):
            inner = told(body, *facts)
            return f"({inner})" if inner else ""
        case Leave(how):
            return how


def _asked(tree: Condition | Decision) -> str:
    """A test by its text; of a decision tree, `a ? b ? yes : no : no`."""
    match tree:
        case bool():
            return "yes" if tree else "no"
        case Fork(test, then, other):
            return f"{_asked(test)} ? {_asked(then)} : {_asked(other)}"
        case _:
            return str(getattr(tree.key, "text", tree.key))


def _role(role: Role) -> str:
    """`optimizer of model`, and how it is called where that is something else."""
    name = f" {role.name}" if role.name != role.kind else ""
    of = f" of {_names(role.of)}" if role.of else ""
    part = f" in {role.part_of.name}" if role.part_of else ""
    return f"{role.kind}{name}{of}{part}{', open' if role.open else ''}"


def _names(roles: Iterable[Role]) -> str:
    return "+".join(sorted(role.name for role in roles))
