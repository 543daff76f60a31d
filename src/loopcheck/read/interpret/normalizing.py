"""Which networks normalize by their batch, as their classes are written."""

from __future__ import annotations

from loopcheck.loop import Role
from loopcheck.read.domain.modes import known_mode
from loopcheck.read.domain.parts import parts_of, role_of
from loopcheck.read.domain.values import NONE, Class, Const
from loopcheck.read.interpret.lineage import lineage
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.vocabulary import switched_by
from loopcheck.words import is_batch_norm


def by_batch(m: Machine, role: Role) -> bool | None:
    """Whether a model holds batch norms, in whichever mode; None where that cannot be told."""
    known = m.state.kept.get(role, {}).get("by_batch")
    made = m.made_of.get(role)
    if known is None and made is None and role in m.state.arms:
        return all(by_batch(m, each) for each in m.state.arms[role]) or None
    if known is not None or made is None:
        return known is True or None
    held = (role_of(part) for value in list(m.state.heap.of(made).values()) for part in parts_of(value))
    if any(by_batch(m, inner) for inner in held if inner is not None and inner is not role and role in inner.wholes):
        return True
    return _says(m, made.cls, {made.cls.name})


def normalizes(m: Machine, role: Role) -> bool | None:
    """Whether a model takes its statistics from the batch that it is applied to: it is in train mode, and keeps none of its parts
    in another."""
    made = [m.made_of[each] for each in (role, *m.state.arms.get(role, ())) if each in m.made_of]
    if any(switched_by("model", name) for each in made for cls in lineage(m, each.cls) for name in cls.methods):
        return None
    switched = [each for each in m.state.toggled if role in each.wholes or each in role.wholes]
    training = not switched or (known_mode(m.state, role) == Const(True) and all(each in role.wholes for each in switched))
    return by_batch(m, role) if training else None


def _says(m: Machine, cls: Class, seen: set[str]) -> bool | None:
    """Whether a class names batch norms, or makes what does."""
    made: set[str] = set()
    for each in lineage(m, cls):
        facts = each.frame.source.index.within(each.node)
        if any(map(is_batch_norm, facts.calls)):
            return True
        made |= {name for name, _ in facts.made}
    inner = [m.fetched(m.state.heap.get((cls.frame, name)) or NONE) for name in sorted(made - seen)]
    seen |= made
    return True if any(_says(m, each, seen) for each in inner if isinstance(each, Class)) else None
