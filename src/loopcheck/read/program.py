"""A whole file: what runs when it is run, and the functions that nobody here calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import libcst as cst

from loopcheck.loop import Frame as CallFrame
from loopcheck.loop import Region, Role, Seq
from loopcheck.read import modules
from loopcheck.read.expressions import text
from loopcheck.read.hints import uses
from loopcheck.read.imports import Files
from loopcheck.read.inlining import Definition, name_of
from loopcheck.read.link import link
from loopcheck.read.loops import bound_names
from loopcheck.read.managed import Managed
from loopcheck.read.passes import spare_alternatives
from loopcheck.read.source import Site, Source
from loopcheck.read.state import key_of
from loopcheck.read.triage import worth_alone
from loopcheck.read.values import (
    NONE,
    Api,
    Class,
    Const,
    Frame,
    Function,
    Instance,
    Symbol,
    Value,
    parts_of,
    role_of,
)
from loopcheck.read.vocabulary import bases
from loopcheck.words import CRITERION, words

_CALLED = re.compile(r"(\w+)\s*\(")
_GRADIENTS = re.compile(r"autograd\.grad|enable_grad\(\)|requires_grad_\((True)?\)|requires_grad = True")


@dataclass(frozen=True, eq=False)
class Program:
    """What a file comes to: its entries and the functions that were read on the way.

    callers: the programs of the project that call functions of this file, which are then not read alone here.
    cut: what was not read because it lies too deep, or because there was too much of it, once for each cause.
    """

    source: Source
    entries: tuple[CallFrame, ...]
    reached: frozenset[Definition]
    callers: tuple[Program, ...] = ()
    cut: tuple[str, ...] = ()


class Library(Files, Protocol):
    """Where a reader finds the other files of a project, and what they come to."""

    def callers(self, file: Path, names: frozenset[str]) -> Sequence[Program]:
        """The programs of the files that import these names of a file, and of those that call them in turn."""


class Reader(Managed):
    """Reads one file."""

    def __init__(self, source: Source, library: Library | None = None) -> None:
        super().__init__(Frame(source, "module"), library)
        self.source = source
        self.library = library
        self.made_of: dict[Role, Instance] = {}

    def read(self) -> list[CallFrame]:
        """The program's entries, each a region: the file run as a script, and every function that nobody calls."""
        return list(self.program().entries)

    def program(self) -> Program:
        """The entries, and what was met on the way."""
        first = self._entry(partial(self.execute, self.source.module))
        entries = [CallFrame(Seq((*self.preamble, first)))]
        known = self.symbols
        for each in self._classes():
            if self.managed(each):
                self.symbols = dict(known)
                entry = self._entry(partial(self.run, each))
                entries.append(CallFrame(entry, each.node.name.value, Site(each.frame.source, each.node)))
        pending = self._promising(self._functions())
        callers = self._callers(pending)
        called = frozenset[Definition]().union(*(each.reached for each in callers))
        pending = [each for each in pending if self.definition(each[1]) not in called]
        mentions = {function.node: self._mentions(function) for _, function in pending}
        while pending:
            mentioned = {name for _, function in pending for name in mentions[function.node]}
            heads = [each for each in pending if name_of(each[1]) not in mentioned] or pending[:1]
            for cls, function in heads:
                if function.node not in self.reached:
                    self.symbols = dict(known)
                    entry = self._entry(partial(self._alone, cls, function))
                    entries.append(CallFrame(entry, function.title, Site(function.frame.source, function.node)))
            pending = [each for each in pending if each not in heads and each[1].node not in self.reached]
        return Program(self.source, tuple(entries), frozenset(self.definitions), tuple(callers), _told(self.cut))

    def _callers(self, pending: list[tuple[Class | None, Function]]) -> list[Program]:
        """The programs of other files of the project in which functions of this one are called."""
        file = self.source.file
        alone = [each for each in pending if each[1].node not in self.reached]
        if file is None or self.library is None or not alone:
            return []
        names = frozenset(cls.node.name.value if cls else name_of(function) for cls, function in alone)
        own = {self.definition(function) for _, function in alone}
        return [program for program in self.library.callers(file, names) if program.reached & own]

    def _entry(self, run: Callable[[], None]) -> Region:
        self.live = True
        self.called_before += self.called
        self.called = 0
        region = self.block(run)
        self.live = True
        link(region)
        spare_alternatives(region)
        return region

    def _classes(self) -> list[Class]:
        """The classes of this file."""
        found = dict.fromkeys(each for each in self.store.of(self.frame).values() if isinstance(each, Class))
        return [cls for cls in found if cls.frame.source is self.source]

    def _functions(self) -> list[tuple[Class | None, Function]]:
        found: list[tuple[Class | None, Function]] = []
        for value in self.store.of(self.frame).values():
            if isinstance(value, Function) and isinstance(value.node, cst.FunctionDef) and value.owner is None:
                found += [(None, value)] if value.frame.source is self.source else []
        found += [(cls, method) for cls in self._classes() for method in cls.methods.values()]
        return list({id(function.node): (cls, function) for cls, function in found}.values())

    def _promising(self, found: list[tuple[Class | None, Function]]) -> list[tuple[Class | None, Function]]:
        """The functions in which anything can happen that a rule could match, or that mention one of those."""
        texts = [(text(function.node), name_of(function)) for _, function in found]
        names = {name for code, name in texts if worth_alone(code)}
        while more := {name for code, name in texts if name not in names and names & set(_CALLED.findall(code))}:
            names |= more
        return [each for each in found if name_of(each[1]) in names]

    def _mentions(self, function: Function) -> set[str]:
        own = name_of(function)
        return {name for name in _CALLED.findall(text(function.node.body)) if name != own}

    def _alone(self, cls: Class | None, function: Function) -> None:
        """A function that nobody here calls, with arguments that nothing is known of."""
        if cls is None:
            self.inline(function.node, function, (), {}, complete=False)
            return
        if not modules.trains(cls) and self.kind_of(cls) == "model":
            return
        instance = self.construct(cls.node, cls, (), {}, complete=False)
        if isinstance(instance, Instance):
            self._unsettle(cls, instance)
        if function.node not in self.reached:
            method = self.method_of(cls, name_of(function), instance)
            if isinstance(method, Function):
                with self.surroundings(instance):
                    self.inline(function.node, method, (), {}, complete=False)

    def _unsettle(self, cls: Class, instance: Instance) -> None:
        """What other methods bind is not what the constructor left: those may have been called before, `setup` say."""
        methods = [method for each in self.lineage(cls) for name, method in each.methods.items() if name != "__init__"]
        for name in {name[5:] for method in methods for name in bound_names(method.node.body) if name.startswith("self.")}:
            left = self.store.get((instance, name))
            if left is not None and all(isinstance(part, Const) for part in parts_of(left)):
                self.store[(instance, name)] = self.symbol(f"{instance.key}.{name}", (), self.default_of(name))

    # what the layers ask

    def uses_of(self, name: str) -> frozenset[str]:
        return frozenset(uses(self.frame.source.text).get(name, ()))

    def kind_of(self, cls: Class) -> str | None:
        for each in self.lineage(cls):
            for base in self.bases_of(each):
                if isinstance(base, Api) and base.name in bases():
                    return bases()[base.name]
                if isinstance(base, (Api, Symbol)) and key_of(base).rpartition(".")[2] in ("Module", "PreTrainedModel"):
                    return "model"
        return None

    def needs_grad(self, role: Role, records: bool | None) -> bool | None:
        if role.wholes & self.frozen:
            return None if records else records
        if records and (self._wants_gradients() or "volatile=True" in self.frame.source.text):
            return None  # `volatile` was no_grad before torch 0.4
        return records

    def _wants_gradients(self) -> bool:
        """A function around asks for gradients by hand, of inputs or of adapted weights."""
        return any(_GRADIENTS.search(text(node)) for node in self.active)

    def moded(self, role: Role) -> bool | None:
        if "moded" in self.kept.get(role, {}):
            return bool(self.kept[role]["moded"])
        made = self.made_of.get(role)
        if made is None:
            return None
        moded = modules.moded(self.lineage(made.cls), self._class_of(made.cls.frame))
        return False if moded is None and words(made.cls.node.name.value) & CRITERION else moded

    def _class_of(self, frame: Frame) -> Callable[[str], Class | None]:
        def find(name: str) -> Class | None:
            value = self.fetched(self.store.get((frame, name)) or NONE)
            return value if isinstance(value, Class) else None

        return find

    def construct(
        self, node: cst.CSTNode, cls: Class, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool = True
    ) -> Value:
        made = super().construct(node, cls, args, keywords, complete)
        role = role_of(made)
        if role is not None and role.kind == "model":
            assert isinstance(made, Instance)
            self.made_of[role] = made
            parts = [part for value in self.store.of(made).values() for part in parts_of(value)]
            held = [self.adopt(part) if isinstance(part, Symbol) else role_of(part) for part in parts]
            layers = [self.kept.get(each, {}).get("vectors") for each in held if each is not None]
            without = all(each is False for each in layers)
            self.kept[role] = {**self.kept.get(role, {}), "vectors": not without}
        return made

    def pure_forward(self, module: Instance) -> Value | None:
        lineage = self.lineage(module.cls)
        return self.method_of(module.cls, "forward", module) if modules.layerless(lineage) else None


def _told(cut: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """The causes for which functions were not read, each after some of their names."""
    return tuple(f"{_some([*names])}: {why}" for why, names in cut.items())


def _some(names: Sequence[str], most: int = 4) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
