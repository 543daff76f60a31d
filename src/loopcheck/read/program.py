"""A whole file: what runs when it is run, and the functions that nobody here calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from functools import cached_property

import libcst as cst

from loopcheck.loop import Frame as CallFrame
from loopcheck.loop import Region, Role
from loopcheck.read import modules
from loopcheck.read import roles as kinds
from loopcheck.read.expressions import text
from loopcheck.read.link import link
from loopcheck.read.managed import Managed
from loopcheck.read.passes import spare_alternatives
from loopcheck.read.source import Site, Source
from loopcheck.read.state import GRAD, key_of
from loopcheck.read.triage import worth_alone
from loopcheck.read.values import (
    NONE,
    Api,
    Choice,
    Class,
    Const,
    Frame,
    Function,
    Instance,
    Scope,
    Symbol,
    Value,
    parts_of,
    role_of,
)
from loopcheck.read.vocabulary import bases

_CALLED = re.compile(r"(\w+)\s*\(")
_GRADIENTS = re.compile(r"autograd\.grad|requires_grad_\((True)?\)|requires_grad = True")


def read(source: Source) -> list[CallFrame]:
    """The program's entries, each a region: the file run as a script, and every function that nobody here calls."""
    return Reader(source).read()


class Reader(Managed):
    """Reads one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        super().__init__(Frame(source, "module"))

    def read(self) -> list[CallFrame]:
        entries = [CallFrame(self._entry(lambda: self.execute(self.source.module)))]
        known = self.symbols
        for each in self._classes():
            if self.managed(each):
                self.symbols = dict(known)
                entry = self._entry(lambda cls=each: self.run(cls))
                entries.append(CallFrame(entry, each.node.name.value, Site(each.frame.source, each.node)))
        pending = self._promising(self._functions())
        mentions = {function.node: self._mentions(function) for _, function in pending}
        while pending:
            mentioned = {name for _, function in pending for name in mentions[function.node]}
            heads = [each for each in pending if _name_of(each[1]) not in mentioned] or pending[:1]
            for cls, function in heads:
                if function.node not in self.reached:
                    self.symbols = dict(known)
                    entry = self._entry(lambda cls=cls, function=function: self._alone(cls, function))
                    entries.append(CallFrame(entry, function.title, Site(function.frame.source, function.node)))
            pending = [each for each in pending if each not in heads and each[1].node not in self.reached]
        return entries

    def _entry(self, run) -> Region:  # type: ignore[no-untyped-def]
        self.live = True
        self.called = 0
        region = self.block(run)
        self.live = True
        link(region)
        spare_alternatives(region)
        return region

    def _classes(self) -> list[Class]:
        """The classes of this file."""
        found = dict.fromkeys(each for each in self.store.values() if isinstance(each, Class))
        return [cls for cls in found if cls.frame.source is self.source]

    def _functions(self) -> list[tuple[Class | None, Function]]:
        found: list[tuple[Class | None, Function]] = []
        for value in list(self.store.values()):
            if isinstance(value, Function) and isinstance(value.node, cst.FunctionDef) and value.owner is None:
                found += [(None, value)] if value.frame.source is self.source else []
        found += [(cls, method) for cls in self._classes() for method in cls.methods.values()]
        return list({id(function.node): (cls, function) for cls, function in found}.values())

    def _promising(self, found: list[tuple[Class | None, Function]]) -> list[tuple[Class | None, Function]]:
        """The functions in which anything can happen that a rule could match, or that mention one of those."""
        texts = [(text(function.node), _name_of(function)) for _, function in found]
        names = {name for code, name in texts if worth_alone(code)}
        while more := {name for code, name in texts if name not in names and names & set(_CALLED.findall(code))}:
            names |= more
        return [each for each in found if _name_of(each[1]) in names]

    def _mentions(self, function: Function) -> set[str]:
        own = _name_of(function)
        return {name for name in _CALLED.findall(text(function.node.body)) if name != own}

    def _alone(self, cls: Class | None, function: Function) -> None:
        """A function that nobody here calls, with arguments that nothing is known of."""
        if cls is None:
            self.inline(function.node, function, (), {}, complete=False)
            return
        if not modules.trains(cls) and self.kind_of(cls) == "model":
            return
        instance = self.construct(cls.node, cls, (), {}, complete=False)
        if function.node not in self.reached:
            method = self.method_of(cls, _name_of(function), instance)
            if isinstance(method, Function):
                with self.surroundings(instance):
                    self.inline(function.node, method, (), {}, complete=False)

    # what the layers ask

    @cached_property
    def _uses(self) -> Mapping[str, Set[str]]:
        return kinds.uses(self.source.text)

    def uses_of(self, name: str) -> frozenset[str]:
        return frozenset(self._uses.get(name, ()))

    @cached_property
    def _options(self) -> Mapping[str, Const]:
        """The defaults of an argument parser's options, by their name."""
        found: dict[str, Const] = {}
        for names, rest in re.findall(r"add_argument\(\s*((?:[\"'][\w-]+[\"'],?\s*)+)(.*?)\)\s*$", self.source.text, re.M | re.S):
            name = re.findall(r"[\"'](-{0,2}[\w-]+)[\"']", names)[-1].lstrip("-").replace("-", "_")
            default = re.search(r"default\s*=\s*(-?[\d.]+(?:e-?\d+)?)\s*(?:,|$)", rest[:300])
            if default:
                found[name] = Const(float(default[1]))
        return found

    def default_of(self, name: str) -> Const | None:
        return self._options.get(name)

    def kind_of(self, cls: Class) -> str | None:
        for each in self.lineage(cls):
            for base in each.bases:
                if isinstance(base, Api) and base.name in bases():
                    return bases()[base.name]
                if isinstance(base, (Api, Symbol)) and key_of(base).rpartition(".")[2] in ("Module", "PreTrainedModel"):
                    return "model"
        return None

    def needs_grad(self, role: Role, records: bool | None) -> bool | None:
        if role.wholes & self.frozen:
            return None if records else records
        if records and (self._wants_gradients() or "volatile=True" in self.source.text):
            return None  # `volatile` was no_grad before torch 0.4
        return records

    def _wants_gradients(self) -> bool:
        """A function around asks for gradients by hand, of inputs or of adapted weights."""
        return any(_GRADIENTS.search(text(node)) for node in self.active)

    def moded(self, role: Role) -> bool | None:
        if "moded" in self.kept.get(role, {}):
            return bool(self.kept[role]["moded"])
        made = next((value for value in self.store.values() if isinstance(value, Instance) and value.role is role), None)
        return modules.moded(self.lineage(made.cls), self._class_of(made.cls.frame)) if made else None

    def _class_of(self, frame: Frame) -> Callable[[str], Class | None]:
        def find(name: str) -> Class | None:
            value = self.store.get((frame, name))
            return value if isinstance(value, Class) else None

        return find

    def construct(
        self, node: cst.CSTNode, cls: Class, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool = True
    ) -> Value:
        made = super().construct(node, cls, args, keywords, complete)
        role = role_of(made)
        if role is not None and role.kind == "model":
            parts = [part for (owner, _), value in self.store.items() if owner is made for part in parts_of(value)]
            held = [self.adopt(part) if isinstance(part, Symbol) else role_of(part) for part in parts]
            layers = [self.kept.get(each, {}).get("vectors") for each in held if each is not None]
            without = all(each is False for each in layers)
            self.kept[role] = {**self.kept.get(role, {}), "vectors": not without}
        return made

    def pure_forward(self, module: Instance) -> Value | None:
        lineage = self.lineage(module.cls)
        return self.method_of(module.cls, "forward", module) if modules.layerless(lineage) else None


def _name_of(function: Function) -> str:
    return function.node.name.value if isinstance(function.node, cst.FunctionDef) else "lambda"


_ = (NONE, Choice, Scope, GRAD)
