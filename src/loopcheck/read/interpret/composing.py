"""Classes that keep a loss scale to themselves, and leave it to their user to call their methods in the order that there is."""

from __future__ import annotations

from collections.abc import Iterable

from loopcheck.loop import Role
from loopcheck.read.domain.parts import roles_in
from loopcheck.read.domain.values import Arguments, Class, Function, Instance, Items, Object
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.lineage import lineage, method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import define
from loopcheck.read.interpret.surroundings import in_sight
from loopcheck.read.objects.evidence import held
from loopcheck.words import clips

_CODE = """
def nothing():
    pass


def train(has, backward, step, between=nothing):
    for batch in batches:
        backward(*args, **options)
        between(*args, **options)
        step(*args, **options)
        elsewhere(has)
"""
_BEGINS, _ENDS = "backward", "step"
UNSCALING = frozenset({"unscale_", "get_scale"})
"""What is called of a loss scale by who takes it out of gradients, at once or by hand."""
UPDATING = frozenset({"update"})


def composable(m: Machine, cls: Class) -> list[Function]:
    """The methods with which a user of a class begins and ends an update; none where it has not both, or makes no loss scale."""
    found = [method for name in (_BEGINS, _ENDS) if isinstance(method := method_of(m, cls, name, None), Function)]
    own = not cls.methods.keys().isdisjoint((_BEGINS, _ENDS)) and any(
        "GradScaler" in facts_of(each).calls for each in family(m, cls)
    )
    return found if own and len(found) == 2 and in_sight(m, cls) else []


def kept_scale(m: Machine, instance: Instance) -> tuple[str, Role] | None:
    """The loss scale that an object has made, the only one that it has, and the attribute that holds it."""
    scales = [role for role in dict.fromkeys(held(m.state, instance)) if role.kind == "scaler"]
    for name, value in m.state.heap.of(instance).items():
        if isinstance(name, str) and len(scales) == 1 and scales[0].built and scales == roles_in(value):
            return name, scales[0]
    return None


def hands_out(m: Machine, cls: Class, attribute: str) -> bool:
    """Whether a method gives what an object has under a name to others: to whoever asks, as a property does."""
    methods = family(m, cls)
    given = (each.value for method in methods for each in ir.walk(*method.code.body) if isinstance(each, ir.Return))
    returned = any(isinstance(value, ir.Attribute) and value.name == attribute for value in given)
    return returned or any(attribute in facts_of(method).handed for method in methods)


def compose(m: Machine, instance: Instance, between: str, has: Iterable[Role]) -> None:
    """Reads the updates that a user composes of an object's methods.

    between: the method that clips, empty of none. has: what of the object its user has as well, and may do anything to: clear
    gradients, for one.
    """
    methods = [method_of(m, instance.cls, name, instance) for name in (_BEGINS, _ENDS, between) if name]
    given = (Items(tuple(map(Object, has))), *(each for each in methods if each))
    with m.state.undone(), m.state.within(supposed=True):
        m.invoke(instance.cls.node, define(m, _CODE, "train"), Arguments(given))


def clipping(m: Machine, cls: Class) -> list[str]:
    """The methods that clip for the user; none where he has one that takes the scale out, or may have."""
    methods = family(m, cls)
    called = {_BEGINS, _ENDS}.union(*(facts_of(each).members for each in methods))
    said = {name for each in methods for name in (each.code.name, *facts_of(each).mentions)}
    unscales = any("unscale" in name for name in said) or not said.isdisjoint(UNSCALING)
    return [] if unscales else [each.code.name for each in methods if clips(each.code.name) and each.code.name not in called]


def family(m: Machine, cls: Class) -> list[Function]:
    """The methods of a class and of those that it derives from."""
    return [method for each in lineage(m, cls) for method in each.methods.values()]


def facts_of(function: Function) -> Facts:
    """What a function says."""
    return function.frame.source.index.of(function.code)
