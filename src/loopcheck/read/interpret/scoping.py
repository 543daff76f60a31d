"""What a context manager or a decorator is, where it is not one of torch's: of the project, or out of sight."""

from __future__ import annotations

import sys

from loopcheck.read.domain.values import Api, Function, Instance, Partial, Symbol, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary import pure
from loopcheck.words import HARMLESS, HARMLESS_AROUND, words


def is_manager(called: Function) -> bool:
    """Whether a function of the project makes context managers: what calls it runs nothing of it before it is entered."""
    marks = (mark for mark in called.code.decorators if isinstance(mark, (ir.Name, ir.Attribute)))
    return any(mark.name == "contextmanager" for mark in marks)


def may_set_modes(m: Machine, context: Value) -> bool:
    """Whether a context manager or a decorator out of sight may set the grad mode, and that of modules, for all that its name
    says."""
    match context:
        case Tensor(history=history):  # made of a model by code out of sight, and no loss that is scaled
            return any(each.how == "hidden" for each in history)
        case Instance() | Partial():  # of a class with a base out of sight, or of a function of the project
            return True
        case Symbol(role=None, term=term):
            name = term.origin or term.text
        case Api(name):
            pass
        case _:
            return False
    if "grad" in name:
        return True
    package, said = name.partition(".")[0], words(".".join(name.split(".")[-2:]))
    own = package == "torch" or package in sys.stdlib_module_names or package in pure()
    return not own and not said & (HARMLESS | HARMLESS_AROUND) and not m.modules.harmless(name)
