"""Functions and classes of the project, read where they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import libcst as cst

from loopcheck.loop import Frame as CallFrame
from loopcheck.loop import Role, events
from loopcheck.read.bound import SOURCES
from loopcheck.read.calls import DEEPEST_CALL, MOST_CALLS, MOST_FORKS, MOST_IN_ALL, Calls
from loopcheck.read.expressions import text
from loopcheck.read.values import (
    NONE,
    Bound,
    Class,
    Const,
    Frame,
    Function,
    Grad,
    Instance,
    Items,
    Params,
    Symbol,
    Tensor,
    Value,
    hidden,
    parts_of,
    role_of,
    roles_in,
    tensor_in,
)
from loopcheck.read.vocabulary import annotated

ENOUGH_IDLE = 3
"""A function that has done nothing so often, given no objects, will do nothing the next time."""


@dataclass(frozen=True)
class Definition:
    """A function where it is defined: `Trainer.fit` of a file."""

    path: str
    name: str


class Inlining(Calls):
    """The layer that reads functions in place."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.definitions: set[Definition] = set()
        self.cut: dict[str, dict[str, None]] = {}
        self.finals: list[cst.Finally] = []
        self.idle: Counter[cst.CSTNode] = Counter()

    def body_of(self, function: Function) -> None:
        """Execute a function's body: see `statements`."""
        raise NotImplementedError

    def decorated(self, function: Function) -> Function | None:
        """What the project's own decorators make of a function; None where they hand it back: see `statements`."""
        raise NotImplementedError

    def inline(
        self, node: cst.CSTNode, function: Function, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool = True
    ) -> Value:
        """Read a function where it is called."""
        self.reached.add(function.node)
        given = Items((*args, *keywords.values()))
        handed = self._holds(given) or (function.me is not None and self._holds(function.me))
        if complete and not handed and (self.idle[function.node] >= ENOUGH_IDLE or not self.acts(function)):
            me = () if function.me is None else (function.me,)
            return self.computed(function.title, Items((*me, *given.values)))
        emitted = self.emitted
        self.called += 1
        if self.active.count(function.node) or self._too_much(function):
            return self.unseen(node, "", args, keywords)
        wrapped = self.decorated(function)
        if wrapped is not None:
            me = (function.me,) if function.me is not None and function.owner is not None else ()
            return self.inline(node, wrapped, (*me, *args), keywords, complete)
        self.definitions.add(self.definition(function))
        frame = Frame(
            function.frame.source, name_of(function), function.frame, function.me, function.owner, module=function.frame.module
        )
        if not function.frame.source.path:
            frame.call = self.frame.call or self.site(node)
        frame.names = self.frame.names
        frame.written = self._written(node, function)
        self._bind(frame, function, args, keywords, complete)
        before = self.frame, self.returns, dict(self.assumed), self.guards, self.finals
        self.frame, self.returns, self.finals = frame, [], []
        self.active.append(function.node)
        try:
            with self.inside(node):
                region = self.block(lambda: self.body_of(function))
            returns = self.returns
        finally:
            self.active.pop()
            self.frame, self.returns, self.assumed, self.guards, self.finals = before
        if self.live or returns:
            self.out.append(CallFrame(region, function.title, self.site(node)))
        self.live = True
        value = self._returned(returns)
        if not handed:
            busy = self.emitted > emitted or self._holds(value)
            self.idle[function.node] = 0 if busy else self.idle[function.node] + 1
        return value if complete else hidden(value)

    def own_step(
        self, node: cst.Call, method: Function, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool
    ) -> Value:
        """An optimizer of the project steps: by others that it holds, or else itself."""
        assert isinstance(method.me, Instance)
        returned: list[Value] = []
        region = self.block(lambda: returned.append(self.inline(node, method, args, keywords, complete)))
        if any(event.verb == "step" for event in events(region)):
            self.out.append(region)
            return returned[0]
        return self.invoke(node, Bound(method.me, "step"), args, keywords, complete)

    def acts(self, function: Function) -> bool:
        """Whether a function can do something to training, by itself or through what it calls: see `imports`."""
        return True

    def _holds(self, value: Value, deep: bool = True) -> bool:
        """Whether there is an object in a value, something computed by one, or code that may know one."""
        for part in parts_of(value):
            if role_of(part) or isinstance(part, (Tensor, Params, Grad, Function, Bound)):
                return True
            if deep and isinstance(part, Instance) and any(self._holds(each, False) for each in self.store.of(part).values()):
                return True
        return False

    def _too_much(self, function: Function) -> bool:
        """Whether it is not read because it lies too deep, or because too much was read before it."""
        called = self.called > MOST_CALLS or self.called + self.called_before > MOST_IN_ALL
        enough = called or self.forked > MOST_FORKS
        if len(self.active) < DEEPEST_CALL and not enough:
            return False
        why = "too much was read before it" if enough else "calls lie too deep"
        self.cut.setdefault(why, {})[name_of(function)] = None
        return True

    def definition(self, function: Function) -> Definition:
        """Where a function is defined."""
        owner = f"{function.owner.node.name.value}." if function.owner else ""
        return Definition(function.frame.source.path, owner + name_of(function))

    def _written(self, node: cst.CSTNode, function: Function) -> dict[str, str]:
        """What is written for each parameter at a call, with what the caller's caller wrote for that."""
        if not isinstance(node, cst.Call):
            return {}
        names = [param.name.value for param in (*function.node.params.posonly_params, *function.node.params.params)]
        names = names[1:] if function.me is not None and function.owner is not None else names
        found = {}
        for index, arg in enumerate(node.args):
            name = arg.keyword.value if arg.keyword else names[index] if index < len(names) else ""
            code = text(arg.value)
            found[name] = f"{code} {self.frame.written.get(code, '')}".strip()
        return found

    def _bind(
        self, frame: Frame, function: Function, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool
    ) -> None:
        params = function.node.params
        names = [param.name.value for param in (*params.posonly_params, *params.params)]
        given = list(args)
        bound_method = function.me is not None and function.owner is not None
        if bound_method:
            assert function.me is not None
            given.insert(0, function.me)
        values = dict(zip(names, given, strict=False))
        values.update({name: value for name, value in keywords.items() if not name.startswith("*")})
        if isinstance(params.star_arg, cst.Param):
            values[params.star_arg.name.value] = Items(tuple(given[len(names) :])) if complete else self.fresh("args")
        for param in (*params.posonly_params, *params.params, *params.kwonly_params):
            name = param.name.value
            value = values.get(name)
            if value is None:
                value = self._default(frame, function, param, complete)
            if isinstance(value, Symbol) and value.role is None and param.annotation:
                kind = annotated(text(param.annotation.annotation))
                if kind:
                    whole = self._holder(value) if kind == "model" else None
                    value.role = Role(kind, name, part_of=whole, open=kind != "model", evidence="annotated")
            self.store[(frame, name)] = value
        if params.star_kwarg:
            named = {*names, *(param.name.value for param in params.kwonly_params)}
            rest = {name: value for name, value in keywords.items() if name not in named}
            self.store[(frame, params.star_kwarg.name.value)] = (
                Items(tuple(rest.values()), tuple(rest)) if complete else self.fresh("kwargs")
            )

    def _default(self, frame: Frame, function: Function, param: cst.Param, complete: bool) -> Value:
        default = self.evaluate(param.default) if param.default else None
        if default is not None and complete:
            return default
        return self.symbol(
            f"{frame.name}@{id(function.node)}.{param.name.value}",
            (),
            default if isinstance(default, Const) and default != NONE else None,
        )

    def _returned(self, returns: list[tuple[dict[Hashable, bool], Value]]) -> Value:
        """What a function returned: of several values, each under what had been assumed when it was returned."""
        if not returns:
            return NONE
        values = [value for _, value in returns]
        if len(values) == 1 or all(value == values[0] for value in values):
            return values[0]
        if all(isinstance(value, Tensor) for value in values):
            return tensor_in(Items(tuple(values))) or NONE
        for key in returns[0][0]:
            then = [each for each in returns if each[0].get(key) is not False]
            other = [each for each in returns if each[0].get(key) is not True]
            if key in self.tests and len(then) < len(returns) and len(other) < len(returns):
                return self.choice(self.tests[key], self._returned(then), self._returned(other))
        solid = [value for value in values if value != NONE]
        return solid[0] if len(solid) == 1 else tensor_in(Items(tuple(values))) or self.fresh("returned")

    def property_of(self, method: Function) -> Value:
        return self.inline(method.node, method, (), {})

    def construct(
        self, node: cst.CSTNode, cls: Class, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool = True
    ) -> Value:
        """An object of a class of the project: its `__init__` read in place."""
        self.reached.add(cls.node)
        kind = self.kind_of(cls)
        key = self.name(cls.node.name.value)
        role = self._role(kind, Items((*args, *keywords.values()))) if kind else None
        instance = Instance(cls, key, role)
        if role is not None and (role.kind == "model" or role.of):
            self.emit("build", [role], node, {"training": True} if role.kind == "model" else {}, {"class": cls.node.name.value})
        init = self.method_of(cls, "__init__", instance)
        if isinstance(init, Function):
            self.inline(node, init, args, keywords, complete)
        else:
            self._fields(instance, cls, args, keywords)
            # a constructor out of sight keeps what it likes
            self.store[(instance, self.name("given"))] = Items((*args, *keywords.values()))
        return instance

    def _role(self, kind: str, given: Items) -> Role:
        """An object of a class of the project, made from what it is given."""
        of = tuple(dict.fromkeys(role for role in roles_in(given) if role.kind == SOURCES.get(kind)))
        return Role(kind, "", of, open=kind in SOURCES and not of)

    def _fields(self, instance: Instance, cls: Class, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> None:
        names = list(self.store.of(cls))
        for name, value in [*zip(names, args, strict=False), *keywords.items()]:
            self.store[(instance, name)] = value


def name_of(function: Function) -> str:
    return function.node.name.value if isinstance(function.node, cst.FunctionDef) else "lambda"
