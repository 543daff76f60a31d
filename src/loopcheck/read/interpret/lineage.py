"""Classes of the project: their bases and their methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from loopcheck.api import WRAPPING
from loopcheck.read.domain.values import NO_ARGUMENTS, Api, Class, Function, Instance, Later, Symbol, Value
from loopcheck.read.front import ir
from loopcheck.read.front.index import Facts
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.names import written_out
from loopcheck.read.triage import OTHER_LIBRARIES
from loopcheck.read.vocabulary import Builds, base_named, bases, function, packages, pure
from loopcheck.read.vocabulary.layers import is_layer_of_torch

_PROPERTIES = frozenset({"property", "cached_property", "functools.cached_property"})


def bases_of(m: Machine, cls: Class) -> tuple[Value, ...]:
    """The bases of a class; those of other modules are looked up now, and what a page writes out in Python is read."""
    if any(isinstance(base, Later) for base in cls.bases):
        cls.bases = tuple(written_out(m, m.fetched(base)) if isinstance(base, Later) else base for base in cls.bases)
    return cls.bases


def wrapping_base(m: Machine, cls: Class) -> Api | None:
    """The wrapper around a model, `nn.DataParallel`, that a class derives from: an object of it stands for the model as well."""
    bases = (base for each in lineage(m, cls) for base in bases_of(m, each))
    return next((base for base in bases if isinstance(base, Api) and base.name in WRAPPING), None)


def lineage(m: Machine, cls: Class) -> list[Class]:
    """The class and its bases of the project, in the order in which Python asks them: what two of them derive from comes last."""
    found = [cls]
    for base in bases_of(m, cls):
        if isinstance(base, Class) and base not in found:
            found += lineage(m, base)
    return [each for number, each in enumerate(found) if each not in found[number + 1 :]]


def facts_of(classes: Iterable[Class]) -> Facts:
    """What the code of classes says, as one."""
    own = [cls.frame.source.index.within(cls.node) for cls in classes]
    if len(own) == 1:
        return own[0]  # as most classes have no base of the project
    found = Facts()
    for each in own:
        found.absorb(each)
    return found


def teaches_itself(m: Machine, cls: Class) -> bool:
    """Whether applying a network trains it: its forward goes backward, or a method of its own that this calls does."""
    return "backward" in _applied(m, cls)


def steps_itself(m: Machine, cls: Class) -> bool:
    """Whether applying a network is a whole step of its training, which its forward takes by an optimizer of its own."""
    return {"backward", "step"} <= _applied(m, cls)


def _applied(m: Machine, cls: Class) -> frozenset[str]:
    """What the forward of a network calls, and the methods of its own that this calls."""
    methods = {name: method for each in reversed(lineage(m, cls)) for name, method in each.methods.items()}
    names, seen, calls = ["forward"], set[str](), frozenset[str]()
    while names:
        name = names.pop()
        if name in methods and name not in seen:
            seen.add(name)
            facts = methods[name].frame.source.index.of(methods[name].code)
            calls |= facts.calls
            names += facts.members
    return calls


def is_trainer(m: Machine, cls: Class) -> bool:
    """Whether a network has methods that go backward and step: those train it, and whoever has it calls them."""
    methods = (method for each in lineage(m, cls) for method in each.methods.values())
    return {"backward", "step"} <= frozenset[str]().union(*(each.frame.source.index.of(each.code).calls for each in methods))


def completes(m: Machine, heir: Class, cls: Class, code: ir.Code) -> bool:
    """Whether a class leaves methods to its heirs, and this heir has them all, and no other method than this one of its name: of
    the one there are no objects, of the other there are."""
    family = lineage(m, heir)
    if cls not in family[1:]:
        return False
    left = {name for each in lineage(m, cls) for name, method in each.methods.items() if _is_left_to_heirs(method)}
    own = [next(each.methods[name] for each in family if name in each.methods) for name in (code.name, *left)]
    return bool(left) and own[0].code is code and not any(map(_is_left_to_heirs, own))


def _is_left_to_heirs(method: Function) -> bool:
    """Whether a method is to be overridden: it is abstract, or says no more than that it is not implemented."""
    if any(_dotted(mark).rpartition(".")[2] == "abstractmethod" for mark in method.code.decorators):
        return True
    match [each for each in method.code.body if not (isinstance(each, ir.Evaluate) and isinstance(each.value, ir.Literal))]:
        case [ir.Raise(value=ir.Name(name=error) | ir.Call(function=ir.Name(name=error)))]:
            return error == "NotImplementedError"
        case _:
            return False


def following(m: Machine, owner: Class, me: Instance) -> list[Class]:
    """The classes that `super()` asks in a method of a class, those that come next in the order of the object's own class."""
    family = lineage(m, me.cls)
    if owner not in family:
        family = lineage(m, owner)
    return family[family.index(owner) + 1 :]


def is_of(m: Machine, value: Instance, cls: Class) -> bool | None:
    """Whether an object is of a class; None where that cannot be told: of the object whose method is read only some class is
    known that it is of, and what stands for a wrapped model is of the wrapper's class."""
    if value.role is not None:
        return None
    if cls in lineage(m, value.cls):
        return True
    made_here = value.term.head == "instance" and all(each.me is not value for each in m.active)
    bases = (base for whole in (value.cls, cls) for each in lineage(m, whole) for base in bases_of(m, each))
    return False if made_here and all(map(_decides, bases)) else None


def _decides(base: Value) -> bool:
    """Whether what derives from a base is of no other class of the project: a protocol is met by any that has its methods."""
    if isinstance(base, Api):
        return base.name.partition(".")[0] in packages() and not base.name.endswith("Protocol")
    return isinstance(base, Class)


def method_of(m: Machine, cls: Class, name: str, me: Value | None) -> Value | None:
    """A method of the class, bound to `me`; of a property, what it returns."""
    return method_among(m, lineage(m, cls), name, me)


def method_among(m: Machine, family: Sequence[Class], name: str, me: Value | None) -> Value | None:
    """A method that the first of several classes has that has one, bound like that of a class."""
    for each in family:
        method = each.methods.get(name)
        if method is None:
            continue
        marks = {_dotted(mark) for mark in method.code.decorators}
        if "staticmethod" in marks:
            return method
        own = me if "classmethod" not in marks else family[0]
        bound = Function(method.code, method.frame, own, each, defaults=method.defaults)
        if me is not None and marks & _PROPERTIES:
            return m.invoke(method.code, bound, NO_ARGUMENTS)
        return bound
    return None


def accessor(code: ir.Code, mark: ir.Expression) -> str | None:
    """`setter` or `deleter`, where a decorator makes a function that of the property of its name: `@training.setter`."""
    match mark:
        case ir.Attribute(base=ir.Name(name=of), name="setter" | "deleter" as which) if of == code.name:
            return which
        case _:
            return None


def setter_of(m: Machine, me: Instance, name: str) -> Function | None:
    """What runs where an attribute of an object is assigned to that is a property."""
    for cls in lineage(m, me.cls):
        if (setter := cls.setters.get(name)) is not None:
            return Function(setter.code, setter.frame, me, cls, defaults=setter.defaults)
        if name in cls.methods:
            return None
    return None


def _dotted(node: ir.Expression) -> str:
    match node:
        case ir.Name(name=name):
            return name
        case ir.Attribute(base=base, name=name):
            return f"{_dotted(base)}.{name}"
        case _:
            return ""


def kind_of(m: Machine, cls: Class) -> str | None:
    """What a class of the project is to a training loop, by its bases."""
    for each in lineage(m, cls):
        for base in bases_of(m, each):
            if isinstance(base, Api):
                row = function(base.name)
                kind = bases().get(base.name) or (row.kind if isinstance(row, Builds) and row.kind in _DERIVED else None)
                kind = "model" if is_layer_of_torch(base.name) else kind
            else:
                kind = None
            if kind := kind or _kind_by_name(base):
                return kind
    return "model" if _applied_by_base(m, cls) else None


def _kind_by_name(base: Value) -> str | None:
    """What subclasses of a class out of sight are by its last name, `Module`; not where another library than torch has it."""
    if not isinstance(base, (Api, Symbol)) or base.name.partition(".")[0] in OTHER_LIBRARIES:
        return None
    return base_named(base.name.rpartition(".")[2])


def _applied_by_base(m: Machine, cls: Class) -> bool:
    """A class with a `forward` that a base out of sight calls, and with layers: a module, whatever its base is called."""
    family = lineage(m, cls)
    facts = [each.frame.source.index.within(each.node) for each in family]
    layered = any(of == "nn" for each in facts for of, _ in each.taken)
    return derives(m, cls) and layered and any("forward" in each.methods for each in family)


def derives(m: Machine, cls: Class) -> bool:
    """Whether a class has methods from a base that is none of the project."""
    return any(not isinstance(base, Class) and not _is_plain(base) for each in lineage(m, cls) for base in bases_of(m, each))


def _is_plain(base: Value) -> bool:
    """`object`, `ABC`, `Generic[T]`: it calls nothing of what derives from it."""
    return isinstance(base, Api) and base.name.partition(".")[0] in pure()


_DERIVED = frozenset({"loader", "sampler", "optimizer", "scheduler"})
"""Kinds of objects whose classes people derive from, besides those that a page names as bases."""
