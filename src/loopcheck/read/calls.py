"""Calls: rows of the vocabulary, functions of the project read in place, and code out of sight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

import libcst as cst

from loopcheck import words as kinds
from loopcheck.loop import Event, Fact, Role
from loopcheck.read.binding import Binding, last_name
from loopcheck.read.bound import SOURCES, BoundCall
from loopcheck.read.expressions import text
from loopcheck.read.hints import functions
from loopcheck.read.state import GRAD, key_of, names_of
from loopcheck.read.values import (
    NONE,
    Api,
    Bound,
    Choice,
    Class,
    Const,
    Frame,
    Function,
    Grad,
    Instance,
    Items,
    Object,
    Params,
    Partial,
    Scope,
    Super,
    Symbol,
    Tensor,
    Value,
    parts_of,
    role_of,
    roles_in,
    tensor_in,
)
from loopcheck.read.vocabulary import Row, differentiable, function, handed, methods, pure

DEEPEST_CALL = 12
MOST_CALLS = 2000
"""Functions read in place for one entry of a program, each call anew."""
MOST_IN_ALL = 2500
"""The same for all entries."""
MOST_FORKS = 4000
"""Tests of a program that are read both ways. Programs take some hundreds; with calls inside, forks multiply."""

_DETACHING = {"detach", "item", "numpy", "tolist", "cpu_item", "detach_", "argmax", "data", "size", "dim", "backward_hooks"}
_MODES = {"eval", "train"}
_OF_MODULES = {"eval", "named_parameters", "parameters", "train", "zero_grad"}
_AS_MODULE = _OF_MODULES | {"()", "cpu", "cuda", "forward", "load_state_dict", "module", "state_dict", "to"}


def _one_of_optimizers(value: Value) -> bool:
    return isinstance(value, Choice) and {role.kind for role in roles_in(value)} == {"optimizer"}


class Calls(Binding):
    """The layer that reads calls."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.active: list[cst.CSTNode] = []
        self.reached: set[cst.CSTNode] = set()
        self.returns: list[tuple[dict[str, bool], Value]] = []
        self.called = 0
        self.called_before = 0
        self.frozen: set[Role] = set()
        self.at_exit: list[tuple[Mapping[str, bool], Callable[[], Value]]] = []

    def define(self, code: str, name: str) -> Value:
        """What a page's Python code defines: see `managed`."""
        raise NotImplementedError

    def uses_of(self, name: str) -> frozenset[str]:
        """What this file does with a name."""
        raise NotImplementedError

    def inline(
        self,
        node: cst.CSTNode,
        function: Function,
        args: tuple[Value, ...],
        keywords: Mapping[str, Value],
        complete: bool = True,
    ) -> Value:
        """Read a function where it is called: see `inlining`."""
        raise NotImplementedError

    def own_step(
        self, node: cst.Call, method: Function, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool
    ) -> Value:
        """An optimizer of a class of the project steps: see `inlining`."""
        raise NotImplementedError

    def construct(
        self, node: cst.CSTNode, cls: Class, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool = True
    ) -> Value:
        """An object of a class of the project: see `inlining`."""
        raise NotImplementedError

    # objects

    def roles(self, value: Value, kind: str) -> list[Role]:
        """The objects in a value; a symbol becomes the object of `kind` that it must be."""
        found: list[Role] = []
        for part in parts_of(self.settled(value)):
            if isinstance(part, Symbol) and part.role is None and kind:
                self.adopt(part, kind)
            if isinstance(part, Bound) and isinstance(part.base, Object) and part.base.role.kind == "model" and kind == "model":
                part = self.part(part.base, part.name)
            if isinstance(part, Tensor):
                continue
            found += roles_in(part)
        return list(dict.fromkeys(found))

    def adopt(self, symbol: Symbol, kind: str = "") -> Role | None:
        """Judge what an unknown object is; with `kind`, that is what it is if nothing speaks against it."""
        if symbol.role is None:
            name = symbol.name.rpartition(".")[2].split("[")[0]
            done, named = self.uses_of(name), kinds.words(name)
            if named & kinds.PARAMETERS:
                return None
            handed_kind = handed(named, done)
            guess = (handed_kind, "used") if handed_kind else kinds.of_use(name, done)
            if guess is None or (kind and guess[0] != kind):
                guess = (kind, "named") if kind and (guess is None or guess[1] == "named") else guess
            if guess is None or (kind and guess[0] != kind):
                return None
            whole = self._holder(symbol) if guess[0] == "model" else None
            symbol.role = Role(guess[0], symbol.name, part_of=whole, open=guess[0] != "model", evidence=guess[1])
        return symbol.role

    def _holder(self, symbol: Symbol) -> Role | None:
        """The module that has this as an attribute."""
        outer = self.symbols.get(symbol.key.rpartition(".")[0])
        whole = self.adopt(outer) if outer else None
        if whole and whole.kind == "model":
            return whole
        holders = (owner.role for owner in self.store.owners_of(symbol) if isinstance(owner, Instance) and owner.role)
        return next((role for role in holders if role.kind == "model"), None)

    # calls

    def call(self, node: cst.Call) -> Value:
        """The value of a call, after its events."""
        callee = self._callee(node.func)
        return self.each(callee, lambda value: self._invoke(node, value))

    def _callee(self, node: cst.BaseExpression) -> Value:
        if isinstance(node, cst.Attribute):
            base = self.evaluate(node.value)
            if node.attr.value in ("enter_context", "callback") and isinstance(base, Symbol):
                return Bound(base, node.attr.value)
            if isinstance(base, Choice):
                return self._map(base, lambda value: self._method(value, node.attr.value))
            return self._method(base, node.attr.value)
        return self.evaluate(node)

    def _map(self, value: Value, use) -> Value:  # type: ignore[no-untyped-def]
        if isinstance(value, Choice):
            return Choice(value.test, self._map(value.then, use), self._map(value.other, use))
        return use(value)  # type: ignore[no-any-return]

    def _method(self, base: Value, name: str) -> Value:
        if isinstance(base, Symbol) and (base, name) not in self.store:
            role = self.adopt(base)
            if role is not None and (role.kind, name) in methods():
                return Bound(base, name)
            if name == "backward" or (role and role.kind == "model") or (role is None and name in _MODES):
                return Bound(base, name)
        return self.attribute(base, name)

    def _arguments(self, node: cst.Call) -> tuple[tuple[Value, ...], dict[str, Value], bool]:
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        complete = True
        for arg in node.args:
            value = self.evaluate(arg.value)
            if arg.star == "*" and isinstance(value, Items):
                args += value.values
            elif arg.star == "**" and isinstance(value, Items) and value.keys is not None:
                keywords.update({str(key): each for key, each in zip(value.keys, value.values, strict=True)})
            elif arg.star:
                complete = False
                keywords[f"{arg.star}{len(keywords)}"] = value
            elif arg.keyword:
                keywords[arg.keyword.value] = value
            else:
                args.append(value)
        return tuple(args), keywords, complete

    def _invoke(self, node: cst.Call, callee: Value) -> Value:
        args, keywords, complete = self._arguments(node)
        return self.invoke(node, callee, args, keywords, complete)

    def invoke(
        self, node: cst.Call, callee: Value, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool = True
    ) -> Value:
        """Call a value with arguments that are evaluated."""
        match callee:
            case Partial(function, before, more):
                return self.invoke(node, function, (*before, *args), {**dict(more), **keywords}, complete)
            case Function(cst.FunctionDef(name=cst.Name("step")), me=Instance(role=Role(kind="optimizer"))):
                return self.own_step(node, callee, args, keywords, complete)
            case Function():
                return self.inline(node, callee, args, keywords, complete)
            case Class():
                return self.construct(node, callee, args, keywords, complete)
            case Api(name):
                return self._api(node, name, args, keywords, complete)
            case Bound(base, name):
                return self._bound(node, base, name, args, keywords, complete)
            case Object(_, facts) if facts.get("empty"):
                return tensor_in(Items(args)) or self.without_effects(callee.role.name, Items(args))
            case Object(role) if (row := methods().get((role.kind, "__call__"))) is not None:
                return self._row(node, row, "__call__", callee, args, keywords, complete)
            case Object(role) if role.kind == "model":
                return self.forward(node, role, args, keywords)
            case Instance(role=Role(kind="model")) if (method := self.pure_forward(callee)) is not None:
                return self.invoke(node, method, args, keywords, complete)
            case Instance(role=Role(kind="model") as role):
                return self.forward(node, role, args, keywords)
            case Instance():
                method = self.method_of(callee.cls, "__call__", callee)
                if method is not None:
                    return self.invoke(node, method, args, keywords, complete)
                return self.unseen(node, "", args, keywords)
            case Symbol() if kinds.is_class_name(callee.name) or any(isinstance(arg, Function) for arg in args):
                return self._api(node, callee.name, args, keywords, complete)
            case Symbol():
                role_ = self.adopt(callee)
                if role_ is not None and role_.kind == "model":
                    return self.forward(node, role_, args, keywords)
                return self.unseen(node, callee.key, args, keywords)
            case Choice():
                return self.each(callee, lambda value: self.invoke(node, value, args, keywords, complete))
            case Tensor(models=models) if kinds.words(text(node.func)) & kinds.MODEL:
                # what code out of sight made of models is no tensor after all
                outputs = [self.forward(node, model, args, keywords) for model in models]
                return tensor_in(Items(tuple(outputs))) or self.unseen(node, "", args, keywords)
            case _:
                return self.unseen(node, "", args, keywords)

    def _row(
        self,
        node: cst.Call,
        row: Row,
        name: str,
        me: Value | None,
        args: tuple[Value, ...],
        keywords: Mapping[str, Value],
        complete: bool,
    ) -> Value:
        """Ask the vocabulary; where the optimizer given is one or another, under the test that decides."""
        undecided = [at for at, value in enumerate(map(self.settled, args)) if _one_of_optimizers(value)]
        if undecided:
            at = undecided[0]
            return self.each(
                args[at], lambda one: self._row(node, row, name, me, (*args[:at], one, *args[at + 1 :]), keywords, complete)
            )
        return row(BoundCall(self, node, name, me, args, keywords, complete))

    def _bound(
        self, node: cst.Call, base: Value, name: str, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool
    ) -> Value:
        role = role_of(base)
        if name == "enter_context" and args and isinstance(args[0], Scope) and args[0].grad is not None:
            self.store[GRAD] = args[0]
            return NONE
        if name == "callback" and args and isinstance(base, Symbol) and base.key.startswith("contextlib."):
            self.at_exit.append((dict(self.assumed), partial(self.invoke, node, args[0], args[1:], keywords, complete)))
            return NONE
        if role is not None and (role.kind, name) in methods():
            closure = next((arg for arg in (*args, *keywords.values()) if isinstance(arg, Function)), None)
            if closure is not None and name == "step":
                self.invoke(node, closure, (), {})
            row, waits = methods()[(role.kind, name)], self.kept.get(role, {}).get("waits")
            if isinstance(waits, Value):
                self.branch(self.truth(waits), lambda: self._row(node, row, name, base, args, keywords, complete))
                return NONE
            return self._row(node, row, name, base, args, keywords, complete)
        match base:
            case Tensor() | Symbol() if name == "backward" and args:
                # of an engine out of sight, which may scale and divide
                facts: dict[str, Fact | None] = {"managed": bool(tensor_in(args[0])) or None, "scaled": None, "averaged": None}
                return self.backward(node, args[0], {"loss": text(node.args[0].value)}, facts)
            case Tensor() | Symbol() if name == "backward":
                written = text(node.func.value) if isinstance(node.func, cst.Attribute) else ""
                options = ", ".join(text(arg).rstrip(", ") for arg in node.args)
                return self.backward(node, base, {"loss": written, "options": options}, {})
            case Tensor(models=models) if models and name in _OF_MODULES:
                # what code out of sight made of models is no tensor after all
                wrapped = Items(tuple(Object(model, self.kept.get(model, {})) for model in models))
                return self._row(node, methods()[("model", name)], name, wrapped, args, keywords, complete)
            case Symbol(role=None) if name in _MODES and not args:
                some = Object(Role("model", base.name, open=True, evidence="used"))  # who knows which
                return self._row(node, methods()[("model", name)], name, some, args, keywords, complete)
            case Tensor():
                if name in _DETACHING:
                    return self.symbol(f"{base.key}.{name}()", [base.key])
                other = tensor_in(Items(args))
                return base.merged(other) if other else base
            case Grad(of):
                return self._edit(node, of, name, args)
            case Params():
                return base
            case Items():
                return self._container(node, base, name, args)
            case Object() | Instance() | Symbol() if role is not None and role.kind == "model":
                return self._model_method(node, role, name, args, keywords)
            case Class():
                return self.unseen(node, name, args, keywords)
            case _ if role is not None:
                return self.symbol(f"{role.name}.{name}()")
            case Instance():  # a method of a base class out of sight, which has all that the object has
                self.store[(base, self.name(name))] = Items((*args, *keywords.values()))
                return self.unseen(node, f"{key_of(base)}.{name}", (base, *args), keywords)
            case _:
                return self.unseen(node, f"{key_of(base)}.{name}", args, keywords)

    def _model_method(
        self, node: cst.Call, role: Role, name: str, args: tuple[Value, ...], keywords: Mapping[str, Value]
    ) -> Value:
        """A method that no page knows: a forward, if it is given data and its name does not say otherwise."""
        if "backward(" in functions(self.frame.source.text).get(name, ""):  # it may be that one, which trains
            return self.unseen(node, name, (Object(role), *args), keywords)
        given_data = bool(args or keywords) or name in ("forward", "sample")
        keeps_house = kinds.words(name) & kinds.NO_FORWARD
        if not given_data or name.startswith("_") or keeps_house:
            return self.symbol(f"{role.name}.{name}()")
        if role.evidence == "used" and not self._is_module(node):
            return self.unseen(node, f"{role.name}.{name}", args, keywords)
        own = tensor_in(Items((*args, *keywords.values())))
        if own and role in own.models:  # what it computed is handed back to it: `learner.adapt(loss)`
            self.differentiated([role])
        return self.forward(node, role, args, keywords)

    def _is_module(self, node: cst.Call) -> bool:
        """What a method is called on is used as a module somewhere in this file, not only called a model."""
        holder = last_name(node.func.value) if isinstance(node.func, cst.Attribute) else ""
        return not self.uses_of(holder).isdisjoint(_AS_MODULE)

    # what a model does

    def freeze(self, models: frozenset[Role], frozen: bool = True) -> None:
        """All parameters of these models stop needing a gradient, or need it again."""
        self.frozen = self.frozen | models if frozen else self.frozen - models

    def forward(self, node: cst.Call, role: Role, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        """A model is applied to data."""
        grad = self.store[GRAD]
        records = grad.grad if isinstance(grad, Scope) else None
        told = not keywords.keys().isdisjoint(kinds.MODE_FLAGS)  # the call says the mode, whatever the module is in
        facts = {"grad": self.needs_grad(role, records), "moded": False if told else self.moded(role)}
        event = self.emit("forward", [role], node, facts)
        self.noticed(event)
        key = self.name("output")
        given = tensor_in(Items((*args, *keywords.values())))
        if records is False:
            return Tensor(key)
        own = frozenset() if role.wholes & self.frozen else frozenset([role])
        return Tensor(key, own | (given.models if given else frozenset()), open=bool(given and given.open))

    def pure_forward(self, module: Instance) -> Value | None:
        """The forward of a module that has no layers, a criterion say, to be read in place: see `program`."""
        return None

    def needs_grad(self, role: Role, records: bool | None) -> bool | None:
        """Whether the graph of a forward is kept: see `program`."""
        return records

    def moded(self, role: Role) -> bool | None:
        """Whether a model's layers differ between train and eval mode: see `program`."""
        return True

    def noticed(self, event: Event) -> None:
        """A forward was read: see `statements`, which knows the pass that it is in."""

    def differentiated(self, models: Iterable[Role]) -> None:
        """Gradients of these models are asked for by other means than a backward: see `loops`."""

    def backward(self, node: cst.Call, loss: Value, names: Mapping[str, str], facts: Mapping[str, Fact | None]) -> Value:
        """A loss is backpropagated. facts: what is known better than by looking at it."""
        tensor = tensor_in(loss) or Tensor("loss", divided=None, open=True)
        on = list(tensor.models)
        scaler = role_of(tensor.scaler) if tensor.scaler else None
        if scaler:
            names = {**names, "scaler": self.spelled().get(scaler, scaler.name)}
            on.append(scaler)
        known: dict[str, Fact | None] = {"managed": False, "averaged_twice": False}
        if tensor_in(loss):
            known.update(scaled=tensor.scaler is not None, averaged=tensor.divided)
        self.emit("backward", on, node, {**known, **facts}, names, open=tensor.open or not tensor.models)
        return NONE

    def _edit(self, node: cst.Call, of: Params, name: str, args: tuple[Value, ...]) -> Value:
        if name == "zero_":
            self.cleared(of, node)
            return NONE
        if name.endswith("_"):
            self.edited_gradients(of, node)
        return Tensor("gradient")

    # containers

    def _container(self, node: cst.Call, base: Items, name: str, args: tuple[Value, ...]) -> Value:
        where = node.func.value if isinstance(node.func, cst.Attribute) else None
        if name in ("append", "add", "extend", "update") and where is not None and args:
            added = args[0].values if name == "extend" and isinstance(args[0], Items) else args
            if name == "update" and isinstance(args[0], Items) and args[0].keys:
                merged = dict(zip(base.keys or (), base.values, strict=False)) | dict(
                    zip(args[0].keys, args[0].values, strict=True)
                )
                self.assign(where, Items(tuple(merged.values()), tuple(merged)))
            elif name == "update":
                self.assign(where, self.fresh(text(where)))  # by options out of sight
            elif base.keys is None and len(base.values) < 32:
                self.assign(where, Items((*base.values, *added)))
            return NONE
        if name == "values":
            return Items(base.values)
        if name == "keys" and base.keys is not None:
            return Items(tuple(Const(key) for key in base.keys))
        if name == "items" and base.keys is not None:
            return Items(tuple(Items((Const(key), value)) for key, value in zip(base.keys, base.values, strict=True)))
        if name in ("get", "pop") and args and base.keys is not None:
            return self.item(base, args[0])
        if name == "copy":
            return base
        return tensor_in(base) or self.fresh("item")

    def kind_of(self, cls: Class) -> str | None:
        """What a class of the project is to a training loop, by its bases: see `program`."""
        raise NotImplementedError

    # code out of sight

    def _api(self, node: cst.Call, name: str, args: tuple[Value, ...], keywords: Mapping[str, Value], complete: bool) -> Value:
        """A function or class of a library, or of a file out of sight."""
        row = function(name)
        if row is not None:
            return self._row(node, row, name, None, args, keywords, complete)
        if name == "builtins.super":
            return self._super()
        given = Items((*args, *keywords.values()))
        package = name.partition(".")[0]
        summed = keywords.get("reduction") == Const("sum") or keywords.get("size_average") == Const(False)
        tensor = tensor_in(given)
        if tensor and summed:  # over samples, so over a window as well
            tensor = replace(tensor, divided=tensor.divided or None)
        if name.endswith("()"):
            return tensor or self.fresh("value")
        if package in differentiable():
            self._in_place(node, name, args, keywords)
            return tensor or self.without_effects(name, given)
        if package in pure():
            return self.without_effects(name, given)
        return self._of_class_name(node, name, given) or self.unseen(node, name, args, keywords)

    def _in_place(self, node: cst.Call, name: str, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> None:
        """Gradients that a function changes in place: its first argument where its name ends in `_`, or its `out`."""
        changed = keywords.get("out") or (args[0] if args and name.endswith("_") else NONE)
        for part in parts_of(changed):
            if isinstance(part, Grad):
                self._edit(node, part.of, "zero_" if name.endswith("_zero_") else "_", args)

    def _super(self) -> Value:
        me, owner = self.frame.me, self.frame.owner
        if not isinstance(me, Instance) or owner is None:
            return Api("object()")
        return Super(me, next((base for base in self.bases_of(owner) if isinstance(base, Class)), None))

    def without_effects(self, name: str, given: Items) -> Value:
        """What a call returns that only computes: the same for the same arguments, in one pass of the loops around it."""
        return self.symbol(f"{name}({key_of(given)})", names_of(given) | self.frame.names)

    def _of_class_name(self, node: cst.Call, name: str, given: Items) -> Value | None:
        """An object of a class out of sight, whose name says what it is."""
        held = tuple(dict.fromkeys(roles_in(given)))
        kind = kinds.of_class_name(name)
        if name.rpartition(".")[2] in kinds.WRAPPERS:
            return next((value for value in given.values if role_of(value) is not None), None)
        of = tuple(role for role in held if role.kind == SOURCES.get(kind or ""))
        params = any(isinstance(part, Params) for part in parts_of(given))
        if kind == "scheduler" and not of and {role.kind for value in parts_of(given) for role in self._held(value)} == {"model"}:
            return Object(Role("module_scheduler", "", held))  # of batch norm's momentum, say
        if kind is None or (kind == "optimizer" and held and not params) or (kind == "scheduler" and not of):
            return None
        evidence = "used" if kind in ("model", "scaler") else "named"
        role = Role(kind, "", of, open=kind == "loader" or (kind == "optimizer" and not of), evidence=evidence)
        if kind == "optimizer":
            self.emit("build", [role], node, {}, {"class": name.rpartition(".")[2]})
        return Object(role)

    def unseen(self, node: cst.CSTNode, name: str, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> Value:
        """Code out of sight: what it is given may have had anything done to it."""
        given = Items((*args, *keywords.values()))
        held = [role for value in parts_of(given) for role in self._held(value)]
        if held and not kinds.words(".".join(name.split(".")[-2:])) & kinds.HARMLESS and not self.harmless(name):
            self.emit("escape", held, node)
        if isinstance(node, cst.Call):
            for value in given.values:
                self._called_back(node, value)
        return self.computed(name or text(node), given)

    def _called_back(self, node: cst.Call, value: Value) -> Value:
        """Functions that are handed to code out of sight: it may call them."""
        match value:
            case Function() | Partial(function=Function()):
                self.invoke(node, value, (), {}, complete=False)
            case Items(values):
                for each in values:
                    self._called_back(node, each)
            case Choice():
                self.each(value, lambda one: self._called_back(node, one))
        return NONE

    def computed(self, name: str, given: Items) -> Value:
        """What comes of code out of sight: of models or their outputs, something that may be differentiated."""
        tensor = tensor_in(given)
        models = frozenset(role for value in parts_of(given) for role in self._held(value) if role.kind == "model")
        last = name.rpartition(".")[2]
        if (tensor is None and not models) or kinds.words(last) & kinds.MADE:
            return self.without_effects(name, given)
        base = tensor or Tensor(self.name("output"))
        divided = base.divided if base.divided or kinds.words(last) & kinds.LOSSES else None
        return Tensor(base.key, base.models | models, base.scaler, divided, base.open)

    def harmless(self, name: str) -> bool:
        """A function of the project in a file without a word of training: see `imports`."""
        return False

    def _held(self, value: Value, within: tuple[Value, ...] = ()) -> list[Role]:
        """The objects that whoever has this value can reach."""
        match value:
            case Symbol():
                role = self.adopt(value)
                return [role] if role else []
            case Instance(role=None) if value not in within:
                stored = self.store.of(value).values()
                return [role for each in stored for part in parts_of(each) for role in self._held(part, (*within, value))]
            case Bound(base) if not isinstance(base, Bound):
                return self._held(base, within)
            case Grad(of):
                return list(of.models)
            case _:
                return roles_in(value)
