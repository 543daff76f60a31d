"""A call as the rows of the vocabulary see it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import libcst as cst

from loopcheck.loop import Fact, Role, Test
from loopcheck.read.expressions import text
from loopcheck.read.state import GRAD
from loopcheck.read.values import NONE, Items, Object, Params, Scope, Symbol, Value, parts_of, tensor_in

if TYPE_CHECKING:
    from loopcheck.read.calls import Calls

SOURCES = {"optimizer": "model", "scheduler": "optimizer"}


class BoundCall:
    """A call as the vocabulary's rows see it."""

    def __init__(
        self,
        reader: Calls,
        node: cst.Call,
        name: str,
        me: Value | None,
        args: tuple[Value, ...],
        keywords: Mapping[str, Value],
        complete: bool,
    ) -> None:
        self.reader, self.node, self.name, self.me = reader, node, name, me
        self.args, self.keywords, self.complete = args, keywords, complete

    def get(self, index: int, name: str) -> Value | None:
        if name in self.keywords:
            return self.keywords[name]
        return self.args[index] if index < len(self.args) else None

    def text(self, index: int, name: str) -> str:
        for at, arg in enumerate(self.node.args):
            if (arg.keyword.value == name) if arg.keyword else at == index:
                return text(arg.value)
        return ""

    @property
    def grad(self) -> bool | None:
        scope = self.reader.store[GRAD]
        return scope.grad if isinstance(scope, Scope) else None

    @property
    def variables(self) -> Mapping[str, Value]:
        return self.reader.store.of(self.reader.frame)

    def keeps(self, value: Value | None, name: str) -> object:
        found = [self.reader.kept.get(role, {}).get(name) for role in self.roles(value, "")]
        return found[0] if found and all(each == found[0] for each in found) else None

    def hold(self, name: str, value: Value) -> None:
        self.reader.store[(self.me.role if isinstance(self.me, Object) else self.me, name)] = value

    def either(self, flag: Value, then: Value, other: Value) -> Value:
        return self.reader.chosen(self.reader.truth(flag), then, other)

    def pure(self) -> Value:
        me = () if self.me is None else (self.me,)
        return self.reader.without_effects(self.name, Items((*me, *self.args, *self.keywords.values())))

    def attribute(self, value: Value, name: str) -> Value:
        return self.reader.attribute(value, name)

    def invoke(self, function: Value, args: tuple[Value, ...], keywords: Mapping[str, Value] | None = None) -> Value:
        return self.reader.invoke(self.node, function, args, keywords or {}, self.complete)

    def define(self, code: str, name: str) -> Value:
        return self.reader.define(code, name)

    def unknown(self, label: str) -> Value:
        return self.reader.fresh(label)

    def freeze(self, models: Iterable[Role], frozen: bool) -> None:
        self.reader.freeze(frozenset(models), frozen)

    def roles(self, value: Value | None, kind: str) -> list[Role]:
        return [] if value is None else self.reader.roles(value, kind)

    @property
    def receiver(self) -> str:
        return text(self.node.func.value) if isinstance(self.node.func, cst.Attribute) else ""

    def objects(self, values: Iterable[Value]) -> list[Role]:
        for part in parts_of(Items(tuple(values))):
            if isinstance(part, Symbol):
                self.reader.adopt(part)
        return self.roles(Items(tuple(values)), "")

    def when(self, value: Value | None, happens: Callable[[], object], otherwise: Callable[[], object] = lambda: None) -> None:
        if value is not None:
            self.reader.branch(self.reader.truth(value), happens, otherwise)

    def moded(self, value: Value | None) -> bool | None:
        found = {self.reader.moded(role) for role in self.roles(value, "model")}
        return found.pop() if len(found) == 1 else None

    def window(self, size: str) -> Value:
        last = self.reader.fresh("last", counter=True)
        self.reader.tests[last.key] = Test(last.key, last.names, counter=True, window=size, text="last")
        return last

    def keep(self, value: Value | None, **known: object) -> None:
        for role in self.roles(value, ""):
            self.reader.kept[role] = {**self.reader.kept.get(role, {}), **known}

    def emit(
        self,
        verb: str,
        on: Iterable[Role],
        facts: Mapping[str, Fact | None] | None = None,
        open: bool = False,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.reader.emit(verb, on, self.node, facts, names, open)

    def backward(self, loss: Value | None, facts: Mapping[str, Fact | None], names: Mapping[str, str] | None = None) -> Value:
        return self.reader.backward(
            self.node, NONE if loss is None else loss, {"loss": self.text(0, "loss"), **(names or {})}, facts
        )

    def differentiated(self, values: Iterable[Value]) -> None:
        tensor = tensor_in(Items(tuple(values)))
        self.reader.differentiated(tensor.models if tensor else ())

    def build(self, kind: str, of: Iterable[Value], facts: Mapping[str, Fact | None], keeps: Mapping[str, object]) -> Value:
        sources: list[Role] = []
        unseen = False
        for value in itertools.chain.from_iterable(map(_of_groups, of)):
            found = self.reader.roles(value, SOURCES.get(kind, ""))
            unseen = unseen or not found or any(isinstance(part, Params) and part.open for part in parts_of(value))
            sources += found
        role = Role(kind, "", of=tuple(dict.fromkeys(sources)), open=unseen and kind in SOURCES)
        self.reader.emit("build", [role], self.node, facts, {"class": self.name.rpartition(".")[2]})
        self.reader.kept[role] = keeps
        return Object(role, keeps)


def _of_groups(value: Value) -> list[Value]:
    """Of parameter groups, the parameters."""
    if isinstance(value, Items) and value.keys is None and any(isinstance(each, Items) and each.keys for each in value.values):
        return [
            dict(zip(each.keys or (), each.values, strict=False)).get("params", each)
            for each in value.values
            if isinstance(each, Items)
        ]
    return [value]
