"""Code that a framework runs: what its page writes out in Python, and the classes that it calls back.

What runs the rest of such a class is not in sight, nor what surrounds the methods of any class with a base out of sight: the
modes its models are in, whether autograd records, what has been cleared or stepped. Of these its own methods tell nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from loopcheck.read.imports import Imports
from loopcheck.read.source import Source
from loopcheck.read.state import GRAD, key_of
from loopcheck.read.values import Api, Class, Frame, Function, Instance, Scope, Symbol, Value
from loopcheck.read.vocabulary import Python, bases, function, pure
from loopcheck.words import HARMLESS, words

RUN = "__run__"


class Managed(Imports):
    """The layer that reads what frameworks do."""

    def define(self, code: str, name: str) -> Value:
        outer, self.frame = self.frame, Frame(_parsed(code), "framework")
        try:
            self.execute(self.frame.source.module)
            return self.lookup(name)
        finally:
            self.frame = outer

    def inherited(self, base: Value) -> Value:
        row = function(base.name) if isinstance(base, Api) else None
        return self.define(row.code, row.name) if isinstance(row, Python) else base

    def managed(self, cls: Class) -> bool:
        """A framework runs objects of this class, and nothing in sight has made it do so."""
        hooks = {name for each in self.lineage(cls) if not each.frame.source.path for name in each.methods}
        return RUN in hooks and not any(cls.methods[name].node in self.reached for name in hooks & cls.methods.keys())

    def run(self, cls: Class) -> None:
        """An object of this class, that nothing is known of, is run by its framework."""
        instance = self.construct(cls.node, cls, (), {}, complete=False)
        method = self.method_of(cls, RUN, instance)
        if isinstance(method, Function):
            self.inline(cls.node, method, (), {})

    @contextmanager
    def surroundings(self, instance: Value) -> Iterator[None]:
        """What a method of this object is called in, by nobody in sight."""
        if not isinstance(instance, Instance) or self._in_sight(instance.cls):
            yield
            return
        before = self.store[GRAD]
        self._handed_over(instance)
        self.store[GRAD] = Scope(None)
        yield
        self.store[GRAD] = before

    def _handed_over(self, instance: Instance) -> None:
        """Code out of sight has this object, and all that it holds."""
        held = [instance.role] if instance.role else []
        held += [role for value in self.store.of(instance).values() for role in self._held(value)]
        if held:
            self.emit("escape", held, instance.cls.node)

    def _method(self, base: Value, name: str) -> Value:
        """A method that no base in sight has is one of those out of sight, and has the object."""
        found = super()._method(base, name)
        if isinstance(base, Instance) and isinstance(found, Symbol) and not self._in_sight(base.cls):
            had = (base, name) in self.store or found.role is not None
            if not had and not words(name) & HARMLESS:
                self._handed_over(base)
        return found

    def _in_sight(self, cls: Class) -> bool:
        """All bases are of the project, or known to call nothing of what derives from them."""
        return all(
            each.frame.source.path and all(isinstance(base, Class) or self._calls_nothing(base) for base in self.bases_of(each))
            for each in self.lineage(cls)
        )

    def _calls_nothing(self, base: Value) -> bool:
        """`nn.Module`, `ABC`, `Generic[T]` and their like, or a class in a file of the project without a word of training."""
        name = key_of(base) if isinstance(base, (Api, Symbol)) else ""
        return name in bases() or name.partition(".")[0] in pure() or self.harmless(name)


@cache
def _parsed(code: str) -> Source:
    return Source.parse("", code.encode())
