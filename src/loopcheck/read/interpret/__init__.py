"""The abstract interpreter: one function for each kind of instruction, one for each kind of callee.

A new kind of instruction is a row in the table of the module that handles it.
"""

from __future__ import annotations

from collections.abc import Mapping

from loopcheck.read.front.source import Source
from loopcheck.read.interpret import binding, calls, classes, comprehensions, expressions, loops, names, statements
from loopcheck.read.interpret.machine import Instruction, Machine

INSTRUCTIONS: Mapping[type, Instruction] = {
    **expressions.INSTRUCTIONS,
    **calls.INSTRUCTIONS,
    **names.INSTRUCTIONS,
    **binding.INSTRUCTIONS,
    **classes.INSTRUCTIONS,
    **loops.INSTRUCTIONS,
    **comprehensions.INSTRUCTIONS,
    **statements.INSTRUCTIONS,
}


def machine(source: Source) -> Machine:
    """A machine that interprets a file."""
    return Machine(source, INSTRUCTIONS, calls.CALLEES)
