"""The machine: what is known, and where each kind of instruction and each kind of callee is handled.

It holds no handler itself. `interpret.INSTRUCTIONS` says which function interprets which instruction, `interpret.CALLEES` which
one calls which kind of value: they call one another through the machine, so none has to know of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from loopcheck.asked import Asked
from loopcheck.loop import Region, Role
from loopcheck.read.domain.state import State
from loopcheck.read.domain.values import Arguments, Const, Frame, Function, Instance, Later, Value
from loopcheck.read.front import ir
from loopcheck.read.front.source import Source
from loopcheck.read.interpret.budget import Budget
from loopcheck.read.project import Module

Instruction: TypeAlias = "Callable[[Machine, Any], Any]"
Attributes: TypeAlias = "list[tuple[Any, dict[str, Any]]]"
"""What attributes of objects are worth."""
Callee: TypeAlias = "Callable[[Machine, ir.Place, Any, Arguments], Value]"


class Modules(Protocol):
    """The other modules of a program, each interpreted when a name of it is asked for.

    summaries: those of the functions that any program of this run has called. noted: the questions about the project's files that
    were asked for this one.
    """

    frames: dict[Path, Frame]
    preamble: list[Region]
    summaries: MutableMapping[object, dict[Any, Any]]
    noted: Asked | None

    def says(self, fact: str) -> bool:
        """Whether a fact holds of the program, in whatever file: a network `differentiates`, a function `takes gradients`, or
        data is `volatile`."""

    def bound(self, name: str) -> Value:
        """`import name`."""

    def imported(self, module: str, name: str) -> Value:
        """`from module import name`."""

    def starred(self, module: str) -> None:
        """`from module import *`."""

    def member(self, module: Module, name: str) -> Value:
        """`module.name` of a module of the project."""

    def acts(self, called: Function, short: bool = True) -> bool:
        """Whether a function can do something to training, by itself or through what it calls.

        short: so may one that is no longer than what it tells.
        """

    def harmless(self, name: str) -> bool:
        """A function of the project in a file without a word of training."""

    def words_of(self, name: str, words: frozenset[str]) -> frozenset[str]:
        """Which of these words the file says that has a function, by its full name; none where it is out of sight."""

    def default_of(self, name: str) -> Const | None:
        """What an option of this name is worth where the user says nothing."""

    def fixed(self, name: str) -> Const | None:
        """What an option of this name is worth whatever the user says: a flag that can only be set to what it is."""


class Machine:
    """Interprets one program.

    main: the variables of the file that is run. active: the functions that are being interpreted, the innermost last. trials:
    those that are under way, each by what is put back after it. reached: the functions that were interpreted. made_of: the object
    of a class of the project that a model is.
    """

    modules: Modules

    def __init__(self, source: Source, instructions: Mapping[type, Instruction], callees: Mapping[type, Callee]) -> None:
        self.source = source
        self.main = Frame(source, "module")
        self.state = State(self.main)
        self.budget = Budget()
        self.active: list[Function] = []
        self.trials: list[Attributes] = []
        self.reached: set[object] = set()
        self.definitions: set[tuple[str, str]] = set()
        self.made_of: dict[Role, Instance] = {}
        self._instructions = instructions
        self._callees = callees

    def evaluate(self, node: ir.Expression) -> Value:
        """The value of an expression, after the events on the way."""
        value: Value = self._instructions[type(node)](self, node)
        return value

    def execute(self, block: ir.Block) -> None:
        """Every statement of a block, until control has left it."""
        state, instructions = self.state, self._instructions
        for statement in block:
            if not state.live:
                return
            instructions[type(statement)](self, statement)

    def invoke(self, node: ir.Place, callee: Value, args: Arguments) -> Value:
        """What a value returns when it is called with arguments that are evaluated."""
        return self._callees[type(callee)](self, node, callee, args)

    def module_of(self, source: Source) -> Frame | None:
        """The variables of a module; None where nobody has looked at it yet."""
        frames = (self.main, *self.modules.frames.values())
        return next((frame for frame in frames if frame.source is source), None)

    def fetched(self, value: Value) -> Value:
        """The value; of an imported name, what it is worth in its module."""
        while isinstance(value, Later):
            value = self.modules.member(value.module, value.name)
        return value

    def code(self, node: ir.Node) -> str:
        """A node as it is written in the file that is read here."""
        return self.state.frame.source.code(node)
