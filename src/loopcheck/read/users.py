"""What whoever has an object of a class does with it, out of sight: he composes its methods, and has it written."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import partial

from loopcheck.loop import Test, events
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import UNSEEN, Class, Function, Instance, Value
from loopcheck.read.front.relevance import writes
from loopcheck.read.front.source import Source
from loopcheck.read.imports import Files
from loopcheck.read.interpret.composing import (
    UNSCALING,
    UPDATING,
    clipping,
    composable,
    compose,
    facts_of,
    family,
    hands_out,
    kept_scale,
)
from loopcheck.read.interpret.functions import definition
from loopcheck.read.interpret.lineage import lineage, method_of
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.offering import is_offered, steps_once, write_again
from loopcheck.read.interpret.preparing import makers, sets_modes
from loopcheck.read.interpret.surroundings import in_sight
from loopcheck.read.objects.evidence import held


@dataclass(eq=False)
class Users:
    """Users of what a file defines.

    called: the functions that the callers of the file come to. unasked: those that were read though nobody calls them.
    """

    m: Machine
    source: Source
    files: Files | None
    called: Set[tuple[str, str]] = frozenset()
    unasked: set[object] = field(default_factory=set)

    def prepare(self, instance: Instance) -> None:
        """What the constructor has left for later is made by the one method that is there for it, `load_model`; one that does no
        more than to set modes may have been called: a user does so before he asks an object for what it is there for."""
        m = self.m
        if not in_sight(m, instance.cls):
            return
        offered = self._offered(instance)
        reached = set(m.reached)
        with m.state.within(supposed=True):
            for method in makers(m, instance, offered):
                m.invoke(method.code, method, UNSEEN)
            for method in filter(sets_modes, offered):
                called = Test(Term("offered", id(method.code)), at=m.state.site(method.code), text=f"{method.code.name}()")
                m.state.branch(m.state.known(called), partial(m.invoke, method.code, method, UNSEEN))
        m.reached &= reached

    def _offered(self, instance: Instance) -> list[Function]:
        """The methods of an object that none of its others calls, as it has them."""
        methods = family(self.m, instance.cls)
        called = set[str]().union(*(facts_of(each).members for each in methods))
        names = dict.fromkeys(each.code.name for each in methods if each.code.name not in called and not each.code.decorators)
        found = (method_of(self.m, instance.cls, name, instance) for name in names if not name.startswith("__"))
        return [each for each in found if isinstance(each, Function)]

    def ways_to_update(self, cls: Class) -> list[str]:
        """The methods that clip between the two with which a user updates what an object trains, empty of none; no way at all
        where those two are called in sight, or there are none."""
        ends = {each.code: definition(each) for each in composable(self.m, cls)}
        left = ends and self.called.isdisjoint(ends.values()) and (self.m.reached - self.unasked).isdisjoint(ends)
        return ["", *clipping(self.m, cls)] if left else []

    def compose(self, instance: Instance, between: str) -> None:
        """A user calls the methods of an object in turn; the loss scale that it made for itself is left to it."""
        m = self.m
        if (kept := kept_scale(m, instance)) is None:
            return
        attribute, scale = kept
        if not between or not self._may_call(UNSCALING, attribute):
            left = hands_out(m, instance.cls, attribute) or self._may_call(UPDATING, attribute)
            compose(m, instance, between, [role for role in held(m.state, instance) if left or role is not scale])

    def _may_call(self, methods: Set[str], attribute: str) -> bool:
        """Whether one of these may be called of what an object has under a name, in the file or one that imports it; what such a
        file holds may not be known."""
        sources = self._about(self.source, attribute)
        functions = (each for source in sources if source for each in source.index.functions.values())
        return None in sources or any(attribute in each.mentions and not methods.isdisjoint(each.calls) for each in functions)

    def _about(self, source: Source, name: str) -> list[Source | None]:
        """A file, and those that import it and mention a name; None of what may not be known."""
        file, files = source.file, self.files
        importers = files.importers(file, name) if file and files else []
        return [source, *(files.follow(each, name) for each in importers if files)]

    def write(self, instance: Instance, found: Mapping[object, Value]) -> None:
        """What an object trains is written by whoever has it, with the methods that are there for that and that nobody here
        calls: of a checkpoint it can only be told what it leaves out where the training is in sight.

        found: what the object had before. Where each step of the training is asked of it, a checkpoint is, too.
        """
        m = self.m
        if not any(event.verb == "step" for region in m.state.out for event in events(region)):
            return
        methods = self._writers(instance)
        driven = any(map(steps_once, m.state.out))
        offered = [each for each in methods if driven and self._is_offered(instance.cls, each)]
        for each in methods:
            if each not in offered and each.code.name in instance.cls.methods:
                m.invoke(each.code, each, UNSEEN)
        if offered:
            write_again(m, instance, offered, self._turned(instance, found))

    def _writers(self, instance: Instance) -> list[Function]:
        """The methods of an object that write a checkpoint, as it has them, and that no other method calls."""
        methods = family(self.m, instance.cls)
        called = set[str]().union(*(facts_of(each).members for each in methods))
        names = dict.fromkeys(each.code.name for each in methods if writes(facts_of(each)) and each.code.name not in called)
        found = (method_of(self.m, instance.cls, name, instance) for name in names)
        return [each for each in found if isinstance(each, Function)]

    def _is_offered(self, cls: Class, method: Function) -> bool:
        """Whether a checkpoint is there for others to have it written, and those are out of sight."""
        seen = method.code in self.m.reached - self.unasked or definition(method) in self.called
        sources = dict.fromkeys(each.frame.source for each in (cls, method))
        about = (each for source in sources for each in self._about(source, method.code.name))
        return not seen and is_offered(self.m, cls, method, (each.index for each in about if each))

    def _turned(self, instance: Instance, found: Mapping[object, Value]) -> list[str]:
        """The attributes that are another each time the object has trained: those that this has changed, and those it counts."""
        counted = set[str]().union(*(each.frame.source.index.counted for each in lineage(self.m, instance.cls)))
        return [
            name
            for name, value in list(self.m.state.heap.of(instance).items())
            if isinstance(name, str) and (name in counted or value != found.get(name)) and not held(self.m.state, value)
        ]
