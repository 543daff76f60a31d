"""Dataclasses that cost less: the same declarations, of which making an object, comparing two and hashing one are most of a run.

To a type checker they are the standard library's, and it is the type checker alone that keeps a frozen one from being changed:
setting a field of one goes by no detour. What is compiled of a class is one piece of code, not six.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import MISSING, Field, field, fields, replace
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property", "dataclass", "field", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
    from functools import cached_property
else:

    class cached_property:  # noqa: N801  the standard library's name
        """An attribute that is computed when it is asked for first. The standard library's takes a lock for each."""

        def __init__(self, compute):
            self.compute, self.__doc__ = compute, compute.__doc__

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, each, owner=None):
            if each is None:
                return self
            value = each.__dict__[self.name] = self.compute(each)
            return value

    def dataclass(cls=None, /, *, eq=True, frozen=False, slots=False, kw_only=False):
        """A class with these fields, as `dataclasses.dataclass` makes it, without its order."""

        def made(cls):
            cls.__doc__ = cls.__doc__ or cls.__name__  # else a signature is written out for it
            cls = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
            known = {"MISSING": MISSING}
            code = [*_initializer(cls, known), *(_comparison(cls) if eq else ())]
            exec(compile("\n".join(code), f"<{cls.__qualname__}>", "exec"), known)
            methods = {"__init__": known["__init__"], "__repr__": _shown}
            if eq:
                methods |= {"__eq__": known["__eq__"], "__hash__": known["__hash__"] if frozen else None}
            for name, method in methods.items():
                if name not in cls.__dict__ or (name == "__hash__" and cls.__dict__[name] is None):
                    setattr(cls, name, method)
            return cls

        return made if cls is None else made(cls)


def _initializer(cls: type, known: dict[str, Any]) -> Iterator[str]:
    """The rows of a constructor. known: what they ask for, defaults, is added to it."""
    positional: list[str] = []
    keyword: list[str] = []
    rows = []
    for each in fields(cls):
        name, value, default = each.name, each.name, ""
        if each.default_factory is not MISSING:
            known[f"_{name}"] = each.default_factory
            value, default = f"_{name}() if {name} is MISSING else {name}" if each.init else f"_{name}()", " = MISSING"
        elif each.default is not MISSING:
            known[f"_{name}"] = each.default
            default = f" = _{name}"
        if each.init:
            (keyword if each.kw_only else positional).append(name + default)
        if each.init or each.default_factory is not MISSING:
            rows.append(f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        rows.append("self.__post_init__()")
    yield f"def __init__({', '.join(['self', *positional, *(['*', *keyword] if keyword else [])])}):"
    yield from (f"    {row}" for row in rows or ["pass"])


def _comparison(cls: type) -> Iterator[str]:
    """The rows of what compares and hashes by fields. To compare tuples begins with the identity of what they hold."""
    compared = [each for each in fields(cls) if each.compare]
    hashed = [each for each in fields(cls) if (each.compare if each.hash is None else each.hash)]
    yield "def __eq__(self, other):"
    yield "    if self is other:"
    yield "        return True"
    yield "    if other.__class__ is not self.__class__:"
    yield "        return NotImplemented"
    yield f"    return {_tuple('self', compared)} == {_tuple('other', compared)}"
    yield "def __hash__(self):"
    yield f"    return hash({_tuple('self', hashed)})"


def _tuple(of: str, values: list[Field[Any]]) -> str:
    return f"({''.join(f'{of}.{each.name}, ' for each in values)})"


def _shown(self: object) -> str:
    told = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)  # type: ignore[arg-type]
    return f"{type(self).__qualname__}({told})"
