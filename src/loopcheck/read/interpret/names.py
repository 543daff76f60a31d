"""Variables: what a name is worth, and what a page's Python code defines."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache

from loopcheck.read.domain.heap import Key
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Api, Choice, Class, Frame, Later, Value, is_later
from loopcheck.read.front import ir
from loopcheck.read.front.source import Source
from loopcheck.read.interpret.machine import Instruction, Machine
from loopcheck.read.project import Module
from loopcheck.read.vocabulary import Python, function

_BUILTINS = frozenset(dir(builtins))
CUSTOMARY = {"torch": "torch", "nn": "torch.nn", "F": "torch.nn.functional", "optim": "torch.optim", "np": "numpy"}
"""What modules are called in nearly every file; where nothing in sight binds such a name, `from utils import *` does."""


def lookup(m: Machine, name: str) -> Value:
    """A variable's value, from the innermost frame that has it."""
    state, of = m.state, m.state.heap.of
    here = state.here.frame
    home = here.home(name)
    frame: Frame | None = home
    while frame:
        found = of(frame).get(name)
        if found is not None:
            if m.trials and frame is not here and _is_shared(frame, name):
                state.shared()
            if isinstance(found, (Later, Choice)) and is_later(found) and (value := _fetched(m, found)) is not found:
                with state.heap.whichever_arm():
                    state.heap[(frame, name)] = value
                return value
            return found
        frame = frame.parent
    if name in _BUILTINS:
        return Api(f"builtins.{name}")
    if name in CUSTOMARY:
        return Api(CUSTOMARY[name])
    return state.symbol(Term("name", home.label, name), state.here.loops)


def class_of(m: Machine, frame: Frame, annotation: str) -> Class | Later | None:
    """The class of the project that an annotation names, not looked at yet where another module has it."""
    found = next((value for each in frame.around() if (value := m.state.heap.get((each, annotation))) is not None), None)
    return found if isinstance(found, (Class, Later)) else None


def found_under(state: State, name: str) -> Key | None:
    """The key of the variable of this name that is seen here."""
    return next(((frame, name) for frame in state.frame.home(name).around() if (frame, name) in state.heap), None)


def _is_shared(frame: Frame, name: str) -> bool:
    """Whether functions bind a variable of a module, or change what it holds."""
    return name in frame.source.index.shared or name in frame.source.index.edited


def declared(m: Machine, node: ir.Elsewhere) -> None:
    """Variables of a function are the module's, or those of a function around that has them."""
    if not node.outermost:
        m.state.shared()
    frame = m.state.frame
    *around, outermost = frame.around()
    for name in node.names:
        having = (each for each in around[1:] if (each, name) in m.state.heap)
        frame.elsewhere[name] = outermost if node.outermost or len(around) < 2 else next(having, around[1])


def _fetched(m: Machine, value: Value) -> Value:
    """What an imported name is worth, also where tests decide from which module it comes."""
    if isinstance(value, Choice):
        then, other = _fetched(m, value.then), _fetched(m, value.other)
        return value if then is value.then and other is value.other else replace(value, then=then, other=other)
    return m.fetched(value)


def lasting(m: Machine, node: ir.Expression) -> bool:
    """Whether an expression is worth the same whenever it is evaluated: a literal, or a name of another module, which is not
    looked at before somebody asks."""
    match node:
        case ir.Literal():
            return True
        case ir.Attribute(base=base):
            return lasting(m, base)
        case ir.Name(name=name):
            found = (m.state.heap.get((each, name)) for each in m.state.frame.around())
            return isinstance(next((each for each in found if each is not None), None), (Api, Later, Module))
        case _:
            return False


def settings(frame: Frame) -> frozenset[str]:
    """The flags of a module that people edit between runs, `distributed = False`: programs for either worth are meant."""
    return _bound_once(frame.source.body) if frame.name == "module" else frozenset()


@lru_cache(maxsize=4096)
def _bound_once(block: ir.Block) -> frozenset[str]:
    """The names that a module binds in one place, to what is written out there: nothing else in it changes them."""
    bound = [
        (target.name, isinstance(node.value, ir.Literal))
        for node in ir.walk(*block)
        if isinstance(node, ir.Assign)
        for target in node.targets
        if isinstance(target, ir.Name)
    ]
    times = Counter(name for name, _ in bound)
    return frozenset(name for name, written in bound if written and times[name] == 1)


def define(m: Machine, code: str, name: str) -> Value:
    """The function or class of this name that a page's Python code defines."""
    source = _parsed(code)
    with m.state.within(frame=Frame(source, "framework")):
        m.execute(source.body)
        return lookup(m, name)


def written_out(m: Machine, base: Value) -> Value:
    """What a class inherits from: of a framework's class that a page writes out, that one."""
    row = function(base.name) if isinstance(base, Api) else None
    return define(m, row.code, row.name) if isinstance(row, Python) else base


@cache
def _parsed(code: str) -> Source:
    return Source.parse("", code.encode())


INSTRUCTIONS: Mapping[type, Instruction] = {ir.Elsewhere: declared}
