"""Dataclasses that cost less: the same declarations, of which making an object, comparing two and hashing one are most of a run.

To a type checker they are the standard library's, and it is the type checker alone that keeps a frozen one from being changed:
setting a field of one goes by no detour. One method is compiled for each class, not six.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, eq=True, frozen=False, slots=False, kw_only=False):
        """A class with these fields, as `dataclasses.dataclass` makes it, without its order."""

        def made(cls):
            cls.__doc__ = cls.__doc__ or cls.__name__  # else a signature is written out for it
            cls = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
            own = [each for each in fields(cls) if each.init or each.default_factory is not MISSING]
            methods = {"__init__": _initializer(cls, own), "__repr__": _shown}
            if eq:
                methods |= {"__eq__": _equality(cls), "__hash__": _hash(cls) if frozen else None}
            for name, method in methods.items():
                if name not in cls.__dict__ or (name == "__hash__" and cls.__dict__[name] is None):
                    setattr(cls, name, method)
            return cls

        return made if cls is None else made(cls)


def _initializer(cls: type, own: list[Field[Any]]) -> Callable[..., None]:
    known: dict[str, object] = {"MISSING": MISSING}
    positional: list[str] = []
    keyword: list[str] = []
    lines: list[str] = []
    for each in own:
        value = each.name
        if each.default_factory is not MISSING:
            known[f"_{each.name}"] = each.default_factory
            value = f"_{each.name}() if {each.name} is MISSING else {each.name}" if each.init else f"_{each.name}()"
            default = "=MISSING"
        elif each.default is not MISSING:
            known[f"_{each.name}"] = each.default
            default = f"=_{each.name}"
        else:
            default = ""
        if each.init:
            (keyword if each.kw_only else positional).append(each.name + default)
        lines.append(f"self.{each.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *keyword] if keyword else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(lines or ["pass"]), known)
    method: Any = known["__init__"]
    method.__qualname__ = f"{cls.__qualname__}.__init__"
    return method  # type: ignore[no-any-return]


def _equality(cls: type) -> Callable[[object, object], bool]:
    of = _as_tuple([each.name for each in fields(cls) if each.compare])

    def equal(self: object, other: object) -> bool:
        if self is other:
            return True
        return of(self) == of(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(cls: type) -> Callable[[object], int]:
    of = _as_tuple([each.name for each in fields(cls) if (each.compare if each.hash is None else each.hash)])

    def hashed(self: object) -> int:
        return hash(of(self))

    return hashed


def _as_tuple(names: list[str]) -> Callable[[object], object]:
    """What takes these fields of an object: to compare tuples begins with the identity of what they hold."""
    of = attrgetter(*names) if names else lambda each: ()
    return (lambda each: (of(each),)) if len(names) == 1 else of


def _shown(self: object) -> str:
    told = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)  # type: ignore[arg-type]
    return f"{type(self).__qualname__}({told})"
