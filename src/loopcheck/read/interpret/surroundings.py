"""What a class has from bases out of sight: modes, gradients and steps of which its own methods tell nothing; and who calls what
was registered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from loopcheck.read.domain.values import Api, Class, Function, Instance, Scope, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.relevance import trains
from loopcheck.read.interpret.lineage import bases_of, lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.unseen import trained_by
from loopcheck.read.objects.evidence import held
from loopcheck.read.vocabulary import bases, pure
from loopcheck.words import REGISTERS, words


@contextmanager
def surroundings(m: Machine, called: Value) -> Iterator[None]:
    """What a function, or a method of an object, is called in, by nobody in sight."""
    hidden = isinstance(called, Instance) and not in_sight(m, called.cls)
    if isinstance(called, Instance) and hidden:
        handed_over(m, called)
    with m.state.recording_as(Scope(None) if hidden or _is_registered(m, called) else None):
        yield


def _is_registered(m: Machine, called: Value) -> bool:
    """Whether it is others who call something, which find it in a registry, and may do so without autograd: it does not train."""
    match called:
        case Instance(cls=cls):
            marks, learns = cls.node.decorators, trains(cls.frame.source.index.within(cls.node))
        case Function(code=code):
            marks, learns = code.decorators, trained_by(called)
        case _:
            return False
    names = (m.code(mark.function if isinstance(mark, ir.Call) else mark) for mark in marks)
    return not learns and any(words(name) & REGISTERS for name in names)


def handed_over(m: Machine, instance: Instance) -> None:
    """Code out of sight has this object, and all that it holds."""
    reached = [instance.role] if instance.role else []
    reached += [role for value in list(m.state.heap.of(instance).values()) for role in held(m.state, value)]
    if reached:
        m.state.emit("escape", reached, instance.cls.node)


def in_sight(m: Machine, cls: Class) -> bool:
    """All bases are of the project, or known to call nothing of what derives from them."""
    return all(
        each.frame.source.path and all(isinstance(base, Class) or _calls_nothing(m, base) for base in bases_of(m, each))
        for each in lineage(m, cls)
    )


def _calls_nothing(m: Machine, base: Value) -> bool:
    """`nn.Module`, `ABC`, `Generic[T]` and their like, or a class in a file of the project without a word of training."""
    name = base.name if isinstance(base, (Api, Symbol)) else ""
    if isinstance(base, Symbol) and base.term.head == "item":
        inner = base.term.operands[0]
        name = str(getattr(inner, "operands", ("", name))[-1])
    return name in bases() or name.partition(".")[0] in pure() or m.modules.harmless(name)
