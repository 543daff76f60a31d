"""What a class has from bases out of sight: modes, gradients and steps of which its own methods tell nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from loopcheck.read.domain.state import GRAD
from loopcheck.read.domain.values import Api, Class, Instance, Scope, Symbol, Value
from loopcheck.read.interpret.lineage import bases_of, lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.evidence import held
from loopcheck.read.vocabulary import bases, pure


@contextmanager
def surroundings(m: Machine, instance: Value) -> Iterator[None]:
    """What a method of this object is called in, by nobody in sight."""
    if not isinstance(instance, Instance) or in_sight(m, instance.cls):
        yield
        return
    before = m.state.heap[GRAD]
    handed_over(m, instance)
    m.state.heap[GRAD] = Scope(None)
    yield
    m.state.heap[GRAD] = before


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
