"""Statements: order, branches, loops and scopes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial

import libcst as cst

from loopcheck.loop import Event, Repeat, Role, Test
from loopcheck.read import roles as kinds
from loopcheck.read.calls import Calls
from loopcheck.read.expressions import text
from loopcheck.read.passes import Pass, settle_pass
from loopcheck.read.state import GRAD, Condition, key_of, names_of
from loopcheck.read.values import (
    NONE,
    Api,
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
    Scope,
    Symbol,
    Tensor,
    Value,
    parts_of,
    role_of,
    tensor_in,
)
from loopcheck.read.vocabulary import Scoped, function

MOST_UNROLLED = 4


class Statements(Calls):
    """The layer that reads statements."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.passes: list[Pass] = []
        self.edited = False
        self.resumes: list[Callable[[Value], None]] = []

    def execute(self, body: cst.BaseSuite | cst.Module) -> None:
        """Every statement of a suite, until control has left it."""
        for statement in body.body:
            if not self.live:
                return
            self.statement(statement)

    def body_of(self, function: Function) -> None:
        node = function.node
        if isinstance(node, cst.Lambda):
            self.returns.append(({}, self.evaluate(node.body)))
            return
        with_grad = self._decorated(node)
        before = self.store[GRAD]
        if with_grad is not None:
            self.store[GRAD] = with_grad
        self.execute(node.body)
        self.store[GRAD] = before

    def _decorated(self, node: cst.FunctionDef) -> Value | None:
        """The scope that a function's decorators put it in; None where they say nothing."""
        for mark in node.decorators:
            value = self.evaluate(mark.decorator)
            if isinstance(value, Api):
                value = self._called_scope(value)
            if isinstance(value, Scope) and value.grad is not None:
                return value
            if isinstance(value, Function):
                code = text(value.node)
                if "no_grad" in code or "inference_mode" in code or "set_grad_enabled" in code:
                    return Scope(None)
        return None

    def _called_scope(self, api: Api) -> Value:
        row = function(api.name)
        return Scope(row.grad) if isinstance(row, Scoped) else api

    def statement(self, node: cst.CSTNode) -> None:
        """One statement."""
        match node:
            case cst.SimpleStatementLine(body=parts) | cst.SimpleStatementSuite(body=parts):
                for part in parts:
                    if self.live:
                        self._small(part)
            case cst.If():
                self._if_statement(node)
            case cst.For():
                self._for(node)
            case cst.While():
                self._while(node)
            case cst.With(items=items, body=body):
                self._with(list(items), body)
            case cst.Try() | cst.TryStar():
                self._try(node)
            case cst.FunctionDef(name=name):
                self.store[(self.frame, name.value)] = Function(node, self.frame)
            case cst.ClassDef():
                self._class(node)
            case cst.Match():
                self._match(node)

    def _small(self, node: cst.BaseSmallStatement) -> None:
        match node:
            case cst.Expr(value=value):
                self._expression(value)
            case cst.Assign(targets=targets, value=value):
                result = self.evaluate(value)
                for target in targets:
                    self.assign(target.target, result)
            case cst.AnnAssign(target=target, annotation=annotation, value=value):
                if value is not None:
                    self._annotate(target, text(annotation.annotation), self.evaluate(value))
            case cst.AugAssign(target=target, operator=operator, value=value):
                self._augment(node, target, operator, self.evaluate(value))
            case cst.Return(value=value):
                self.returns.append((dict(self.assumed), self.evaluate(value) if value else NONE))
                self.leave("return")
            case cst.Raise(exc=exc):
                if exc:
                    self.evaluate(exc)
                self.leave("raise")
            case cst.Break():
                self.leave("break")
            case cst.Continue():
                self.leave("continue")
            case cst.Import(names=names):
                for alias in names:
                    name = text(alias.name)
                    bound = (
                        alias.asname.name.value
                        if alias.asname and isinstance(alias.asname.name, cst.Name)
                        else name.partition(".")[0]
                    )
                    self.store[(self.frame, bound)] = self.imported(Api(name if alias.asname else bound))
            case cst.ImportFrom():
                self._import_from(node)
            case cst.Del(target=target):
                if isinstance(target, cst.Name):
                    self.store.pop((self.frame, target.value), None)
            case cst.Global(names=names) | cst.Nonlocal(names=names):
                pass
            case cst.Assert(test=test):
                self.evaluate(test)

    def _expression(self, node: cst.BaseExpression) -> None:
        value = self.evaluate(node)
        if isinstance(node, cst.Call) and isinstance(value, (Scope, Choice)) and _switches_grad(node):
            self.store[GRAD] = value if isinstance(value, Scope) else Scope(None)

    def _import_from(self, node: cst.ImportFrom) -> None:
        module = "." * len(node.relative) + (text(node.module) if node.module else "")
        if isinstance(node.names, cst.ImportStar):
            self.starred(module)
            return
        for alias in node.names:
            name = text(alias.name)
            bound = alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else name
            self.store[(self.frame, bound)] = self.imported(Api(f"{module}.{name}"))

    @cached_property
    def augmented(self) -> frozenset[str]:
        """The names that this file counts with, `+=`: what they are bound to first is not what they are."""
        return frozenset(re.findall(r"(\w+)\s*[-+*/]=", self.frame.source.text))

    def starred(self, module: str) -> None:
        """`from module import *`: see `program`."""

    # binding

    def assign(self, target: cst.BaseExpression, value: Value) -> None:
        if isinstance(value, Const) and type(value.value) in (int, float) and _last(target) in self.augmented:
            value = self.fresh(f"{self.frame.name}.{_last(target)}", counter=True)
        match target:
            case cst.Name(value=name):
                self._bind_name(name, value)
            case cst.Attribute(value=base, attr=attr):
                self._bind_attribute(target, self.evaluate(base), attr.value, value)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                self._unpack(elements, value)
            case cst.Subscript(value=base):
                self._bind_item(target, self.evaluate(base), value)
            case cst.StarredElement(value=inner):
                self.assign(inner, self.fresh("rest"))

    def _named(self, value: Value, name: str) -> Value:
        """A new object gets the name that it is first bound to."""
        for part in parts_of(value):
            if isinstance(part, Symbol) and not part.label and "(" in part.key:
                part.label = name
            role = role_of(part)
            if role is not None and not role.name:
                role.name = name
        return value

    def _bind_name(self, name: str, value: Value) -> None:
        self.store[(self.frame, name)] = self._named(value, name)

    def _bind_attribute(self, target: cst.Attribute, base: Value, name: str, value: Value) -> None:
        self._named(value, text(target))
        match base:
            case Params() if name == "grad":
                if value == NONE:
                    self.cleared(base, target)
                else:
                    self.touched_gradients()
            case Params() if name == "requires_grad" and isinstance(value, Const) and value.value is False:
                if base.whole and not base.grouped:
                    self.freeze(base.models)
            case Instance(role=whole):
                inner = role_of(value)
                if (
                    whole is not None
                    and whole.kind == "model"
                    and inner is not None
                    and inner.kind == "model"
                    and inner is not whole
                ):
                    inner.part_of = inner.part_of or whole
                self.store[(base, name)] = value
            case Object(role):
                self.store[(role, name)] = value
            case Symbol() | Class() | Api():
                self.store[(base, name)] = value
            case Choice(_, then, other):
                self._bind_attribute(target, then, name, value)
                self._bind_attribute(target, other, name, value)

    def _bind_item(self, target: cst.Subscript, base: Value, value: Value) -> None:
        indices = [each.slice.value for each in target.slice if isinstance(each.slice, cst.Index)]
        if len(indices) != 1:
            return
        index = self.evaluate(indices[0])
        self._named(value, text(target))
        match base, index:
            case Items(values, tuple() | None as keys), Const(key) if keys is not None or not values:
                items = dict(zip(keys or (), values, strict=False)) | {key: value}
                self.assign(target.value, Items(tuple(items.values()), tuple(items)))
            case ((Symbol() | Instance()), _):
                self.store[(base, key_of(index))] = value

    def _unpack(self, elements: Sequence[cst.BaseElement], value: Value) -> None:
        starred = any(isinstance(element, cst.StarredElement) for element in elements)
        if isinstance(value, Choice) and all(
            isinstance(arm, Items) and len(arm.values) == len(elements) for arm in (value.then, value.other)
        ):
            for index, element in enumerate(elements):
                self.assign(element.value, self.item(value, Const(index)))
            return
        if isinstance(value, Items) and len(value.values) == len(elements) and not starred and value.keys is None:
            for element, each in zip(elements, value.values, strict=True):
                self.assign(element.value, each)
            return
        for index, element in enumerate(elements):
            target = element.value
            if isinstance(value, Tensor):
                self.assign(target, value)
            elif isinstance(value, Symbol) and not starred:
                self.assign(target, self.symbol(f"{value.key}[{index}].{_last(target)}", value.names))
            else:
                self.assign(target, self.fresh(f"{self.frame.name}.{_last(target)}"))

    def _annotate(self, target: cst.BaseExpression, annotation: str, value: Value) -> None:
        kind = kinds.of_annotation(annotation)
        if isinstance(value, Symbol) and value.role is None and kind:
            value.role = Role(kind, text(target), open=kind != "model", evidence="annotated")
        self.assign(target, value)

    def _augment(self, node: cst.AugAssign, target: cst.BaseExpression, op: cst.BaseAugOp, value: Value) -> None:
        before = self.evaluate(target)
        if isinstance(before, (Params, Grad)) or (isinstance(target, cst.Attribute) and target.attr.value == "grad"):
            self.touched_gradients()
            return
        result = self._binary(op, before, value)
        if isinstance(result, (Tensor, Items, Params)):
            self.assign(target, result)
        else:
            self.assign(target, self.fresh(f"{self.frame.name}.{_last(target)}", counter=isinstance(value, Const)))

    # branches

    def _if_statement(self, node: cst.If) -> None:
        if _is_main_guard(node.test):
            self.execute(node.body)
            return
        condition = self.condition(node.test)

        def guarded(body: cst.BaseSuite) -> None:
            before = self.guards
            self.guards = (*before, node.test)
            self.execute(body)
            self.guards = before

        def orelse() -> None:
            if isinstance(node.orelse, cst.Else):
                guarded(node.orelse.body)
            elif isinstance(node.orelse, cst.If):
                self._if_statement(node.orelse)

        self.branch(condition, lambda: guarded(node.body), orelse)
        if self.asks_mode(condition):
            # whoever looks at the mode a model was in is about to restore it
            self.emit("train", [], node, open=True)
            self.emit("evaluate", [], node, open=True)

    def _match(self, node: cst.Match) -> None:
        subject = self.evaluate(node.subject)

        def case(index: int) -> None:
            if index == len(node.cases):
                return
            arm = node.cases[index]
            test = self.test(f"{key_of(subject)} matches {text(arm.pattern)}", names_of(subject))
            wild = isinstance(arm.pattern, cst.MatchAs) and arm.pattern.pattern is None and arm.guard is None
            condition: Condition = True if wild else test
            self.branch(condition, lambda: self.execute(arm.body), lambda: case(index + 1))

        case(0)

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        self.execute(node.body)
        fell = self.live
        for handler in node.handlers:
            test = Test(self.fresh("raises").key, frozenset([f"raises#{id(handler)}"]))

            def handle(body: cst.BaseSuite = handler.body) -> None:
                self.execute(body)

            self.live = True
            self.branch(test, handle, partial(self._restore, fell))
            fell = self.live
        if node.orelse and self.live:
            self.execute(node.orelse.body)
        if node.finalbody:
            live, self.live = self.live, True
            self.execute(node.finalbody.body)
            self.live = live and self.live

    def _restore(self, live: bool) -> None:
        self.live = live

    # scopes

    def _with(self, items: list[cst.WithItem], body: cst.BaseSuite) -> None:
        if not items:
            self.execute(body)
            return
        item, *rest = items
        manager = self._manager(item.item)
        if manager is not None and isinstance(item.item, cst.Call):
            self._managed_with(item, item.item, manager, lambda: self._with(rest, body))
            return
        context = self.evaluate(item.item)
        if item.asname is not None:
            name = item.asname.name
            if isinstance(name, cst.BaseExpression):
                self.assign(name, context if not isinstance(context, Scope) else self.fresh("context"))
        self._scoped(context, lambda: self._with(rest, body))

    def _manager(self, node: cst.BaseExpression) -> Function | None:
        """The function of the project that a `with` calls, where it is a `@contextmanager`."""
        if not isinstance(node, cst.Call):
            return None
        callee = self._callee(node.func)
        marks = getattr(callee.node, "decorators", ()) if isinstance(callee, Function) else ()
        return (
            callee if isinstance(callee, Function) and any(_last(mark.decorator) == "contextmanager" for mark in marks) else None
        )

    def _managed_with(self, item: cst.WithItem, node: cst.Call, manager: Function, read: Callable[[], None]) -> None:
        """A `with` over a generator of the project: its body runs where the generator yields."""
        frame, stack, returns = self.frame, self.stack, self.returns
        left = False

        def resume(value: Value) -> None:
            nonlocal left
            inner = self.frame, self.stack, self.returns
            self.frame, self.stack, self.returns = frame, stack, returns
            if item.asname is not None and isinstance(item.asname.name, cst.BaseExpression):
                self.assign(item.asname.name, value)
            read()
            left, self.live = not self.live, True
            self.frame, self.stack, self.returns = inner

        self.resumes.append(resume)
        self.invoke(node, manager, *self._arguments(node))
        if resume in self.resumes:  # it never yielded, as far as was read
            self.resumes.remove(resume)
            read()
        elif left:
            self.leave("return")

    def yielded(self, value: Value) -> Value:
        if not self.resumes:
            return value
        self.resumes.pop()(value)
        return NONE

    def _scoped(self, context: Value, read: Callable[[], None]) -> None:
        context = self.settled(context)
        if isinstance(context, Choice) and any(isinstance(part, Scope) and part.grad is not None for part in parts_of(context)):
            self.branch(context.test, lambda: self._scoped(context.then, read), lambda: self._scoped(context.other, read))
            return
        before = self.store[GRAD]
        unknown = isinstance(context, Symbol) and context.role is None and "grad" in context.key
        if isinstance(context, Scope) and context.grad is not None:
            self.store[GRAD] = context
        elif unknown:
            self.store[GRAD] = Scope(None)
        read()
        self.store[GRAD] = before

    # loops

    def _for(self, node: cst.For) -> None:
        iterable = self.evaluate(node.iter)
        if isinstance(iterable, Items) and self._unrollable(node, iterable):
            for index, value in enumerate(iterable.values):
                with self.inside(node, index):
                    self.assign(node.target, value)
                    self.execute(node.body)
            return
        written = self._chosen(node.iter)
        source = _inner_iterable(written)
        iterates = self._iterate(node, source)
        counter = node.target.value if _counts(source) and isinstance(node.target, cst.Name) else ""
        turn = Pass(node, self._over(written), self.frame.name, counter, iterates)

        def once() -> None:
            self._bind_loop(node.target, written, iterable)
            self.execute(node.body)

        self._loop(node.body, turn, once, each_object=bool(self._objects(node.target, iterable)))
        if node.orelse and self.live:
            self.execute(node.orelse.body)

    def _chosen(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Of `train_loader if train else val_loader` the one that is meant, where that is known."""
        if isinstance(node, cst.IfExp):
            condition = self.condition(node.test)
            if isinstance(condition, bool):
                return self._chosen(node.body if condition else node.orelse)
        return node

    def _objects(self, target: cst.BaseExpression, iterable: Value) -> bool:
        """A loop over objects: each has its body done to it once, however many there are."""
        if not isinstance(target, cst.Name):
            return False
        kind = kinds.of_use(target.value, self.uses_of(target.value))
        if kinds.words(target.value) & (kinds.OPTIMIZER | kinds.SCALER):
            return True
        return (kind is not None and kind[0] in ("optimizer", "scheduler", "scaler")) or self._element(iterable) is not None

    def _over(self, iterable: cst.BaseExpression) -> str:
        """What a loop runs over, as written, with the words that its variables stand for: `loaders[phase]` and `val`."""
        written = text(iterable)
        names = re.findall(r"\b[a-z_]\w*\b", written)
        values = [self.settled(self.lookup(name)) for name in names]
        words = [value.value for value in values if isinstance(value, Const) and isinstance(value.value, str)]
        return " ".join([written, *words, *(self.frame.written[name] for name in names if name in self.frame.written)])

    def _while(self, node: cst.While) -> None:
        if _is_constant(node.test, False):
            return

        def once() -> None:
            self.evaluate(node.test)
            self.execute(node.body)

        self._loop(node.body, Pass(node, text(node.test), self.frame.name), once)
        if node.orelse and self.live:
            self.execute(node.orelse.body)

    def _loop(self, body: cst.CSTNode, turn: Pass, once: Callable[[], None], each_object: bool = False) -> None:
        first = len(self.made)
        label = self.name("loop")
        names = self.frame.names
        self.frame.names = names | {label}
        self._havoc(body, label)
        self.passes.append(turn)
        edited, self.edited = self.edited, False
        guards, self.guards = self.guards, ()
        region = self.block(once)
        self.guards = guards
        self.passes.pop()
        self.live = True
        self.frame.names = names
        self.out.append(region if each_object else Repeat(region, frozenset(self.made[first:])))
        if not each_object:
            settle_pass(turn, region, self.passes, self.edited)
        self.edited = self.edited or edited

    def noticed(self, event: Event) -> None:
        if self.passes:
            self.passes[-1].forwards.append(event)

    def cleared(self, params: Params, node: cst.CSTNode) -> None:
        some = any("grad" not in text(guard) for guard in self.guards)
        self.emit("zero_grad", () if some else params.models, node, open=some or params.open)

    def touched_gradients(self) -> None:
        self.edited = True

    def _havoc(self, body: cst.CSTNode, label: str) -> None:
        """What the body binds again is not constant in it: the first pass must not be taken for every pass."""
        for name in _bound_names(body):
            base: object = self.frame
            if name.startswith("self."):
                base, name = self.frame.me, name[5:]
            value = self.store.get((base, name))
            if isinstance(value, (Const, Choice, Symbol)) and not any(role_of(part) for part in parts_of(value)):
                counter = bool(names_of(value) & self.counters)
                self.store[(base, name)] = self.fresh(f"{self.frame.name}.{name}", counter)

    def _bind_loop(self, target: cst.BaseExpression, written: cst.BaseExpression, iterable: Value) -> None:
        """The values of a loop's variables on one pass."""
        element = self._element(iterable)
        counts = _counts(_inner_iterable(written))
        start = _enumerated(written)
        if start is not None and isinstance(target, cst.Tuple) and len(target.elements) == 2:
            self._count(target.elements[0].value, start)
            target = target.elements[1].value
        elif isinstance(element, Params) and isinstance(target, cst.Tuple) and len(target.elements) == 2:
            target = target.elements[1].value  # named_parameters()
        if element is not None:
            self.assign(target, element)
        elif counts:
            self._count(target, 0)
        else:
            for name in _target_names(target):
                self._bind_name(name, self.fresh(f"{self.frame.name}.{name}"))

    def _count(self, target: cst.BaseExpression, start: int) -> None:
        counter = self.fresh(f"{self.frame.name}.{_last(target)}", counter=True)
        if start == 0:
            self.zero_based |= counter.names
        self.assign(target, counter)

    def _element(self, iterable: Value) -> Value | None:
        match iterable:
            case Params():
                return iterable
            case Object(Role(kind=kind)) if kind not in ("loader", "model"):
                return iterable
            case Items(values) if values and all(isinstance(value, Params) or role_of(value) for value in values):
                return values[0] if len(values) == 1 else None
            case Tensor():
                return iterable
            case _:
                return None

    def _unrollable(self, node: cst.For, iterable: Items) -> bool:
        if not 0 < len(iterable.values) <= MOST_UNROLLED or iterable.keys is not None:
            return False
        worth = all(
            role_of(value) is not None
            or isinstance(value, (Function, Instance, Params, Items))
            or (isinstance(value, Const) and isinstance(value.value, str))
            for value in iterable.values
        )
        return worth and not _leaves(node.body)

    def _loader(self, source: cst.BaseExpression) -> Role | None:
        before, self.out = self.out, []
        value = self.evaluate(source)
        self.out = before
        if isinstance(value, Symbol):
            self.adopt(value)
        return next((role for role in self.roles(value, "") if role.kind == "loader"), None)

    def _iterate(self, node: cst.CSTNode, source: cst.BaseExpression) -> list[Event]:
        """A pass over a loader begins; where it has one sampler or another, under the test that decides."""
        loader = self._loader(source)
        if loader is None:
            return []
        epoch = next((each.counter for each in reversed(self.passes) if each.counter), "")
        names = {"loader": text(source)} | ({"epoch": epoch} if epoch else {})
        begun: list[Event] = []

        def begin(sampler: Value) -> Value:
            role = role_of(sampler)
            order = self.kept.get(role, {}) if role else {}
            shuffled = order.get("shuffled")
            facts = {
                "distributed": bool(order.get("distributed")) or None,
                "shuffled": shuffled if isinstance(shuffled, bool) else None,
            }
            begun.append(self.emit("iterate", [loader], node, facts, names))
            return NONE

        sampler = self.kept.get(loader, {}).get("sampler")
        self.each(sampler if sampler is not None else NONE, begin)  # type: ignore[arg-type]
        return begun

    def comprehension(self, node: cst.BaseComp) -> Value:
        generator = node.for_in
        iterable = self.evaluate(generator.iter)
        element = node.value if isinstance(node, cst.DictComp) else node.elt if isinstance(node, cst.BaseSimpleComp) else None
        if element is None:
            return self.fresh("comprehension")
        if (
            isinstance(iterable, Items)
            and 0 < len(iterable.values) <= MOST_UNROLLED
            and not generator.ifs
            and iterable.keys is None
        ):
            values = []
            for index, value in enumerate(iterable.values):
                with self.inside(node, index):
                    self.assign(generator.target, value)
                    values.append(self.evaluate(element))
            return Items(tuple(values)) if isinstance(node, cst.BaseSimpleComp) else self.fresh("dict")
        made: list[Value] = []

        def once() -> None:
            self._bind_loop(generator.target, generator.iter, iterable)
            for condition in generator.ifs:
                self.evaluate(condition.test)
            made.append(self.evaluate(element))

        turn = Pass(node, self._over(generator.iter), self.frame.name, "", self._iterate(node, _inner_iterable(generator.iter)))
        self._loop(element, turn, once, each_object=isinstance(iterable, Params))
        return self._gathered(node, made[0])

    def _gathered(self, node: cst.BaseComp, element: Value) -> Value:
        """What a comprehension over values like this is worth."""
        if isinstance(element, Params):
            split = any("requires_grad" not in text(test.test) for test in node.for_in.ifs)
            return Params(element.models, element.whole and not split, split or element.grouped, element.open)
        return tensor_in(element) or (element if role_of(element) else self.fresh("list"))

    # classes

    def _class(self, node: cst.ClassDef) -> None:
        bases = tuple(self.evaluate(base.value) for base in node.bases)
        cls = Class(node, self.frame, bases)
        for statement in node.body.body:
            if isinstance(statement, cst.FunctionDef):
                cls.methods[statement.name.value] = Function(statement, self.frame, None, cls)
            elif isinstance(statement, cst.SimpleStatementLine):
                self._class_fields(cls, statement)
        self.store[(self.frame, node.name.value)] = cls

    def _class_fields(self, cls: Class, line: cst.SimpleStatementLine) -> None:
        for part in line.body:
            if isinstance(part, cst.Assign) and isinstance(part.targets[0].target, cst.Name):
                self.store[(cls, part.targets[0].target.value)] = self.evaluate(part.value)
            elif isinstance(part, cst.AnnAssign) and isinstance(part.target, cst.Name):
                name = part.target.value
                default = self.evaluate(part.value) if part.value else None
                known = default if isinstance(default, Const) else None
                kind = kinds.of_annotation(text(part.annotation.annotation))
                symbol = self.symbol(f"{cls.node.name.value}.{name}", (), known)
                if kind and symbol.role is None:
                    symbol.role = Role(kind, name, open=kind != "model", evidence="annotated")
                self.store[(cls, name)] = symbol


def _switches_grad(node: cst.Call) -> bool:
    return text(node.func).endswith("set_grad_enabled")


def _last(node: cst.BaseExpression) -> str:
    return text(node).rpartition(".")[2]


def _is_main_guard(test: cst.BaseExpression) -> bool:
    return isinstance(test, cst.Comparison) and isinstance(test.left, cst.Name) and test.left.value == "__name__"


def _is_constant(node: cst.BaseExpression, value: bool) -> bool:
    return isinstance(node, cst.Name) and node.value == str(value)


_WRAPPERS = {
    "enumerate", "tqdm", "trange", "iter", "list", "islice", "cycle", "zip", "track", "progress_bar", "log_every", "Progbar",
    "reversed",
}  # fmt: skip


def _inner_iterable(node: cst.BaseExpression) -> cst.BaseExpression:
    """What is iterated, without tqdm, enumerate and their like."""
    while isinstance(node, cst.Call) and node.args and _last(node.func) in _WRAPPERS:
        node = node.args[0].value
    return node


def _enumerated(node: cst.BaseExpression) -> int | None:
    """Where an enumeration starts, inside tqdm and its like; None where nothing is enumerated, 1 where it cannot be told."""
    while isinstance(node, cst.Call) and node.args:
        if _last(node.func) == "enumerate":
            start = node.args[1].value if len(node.args) > 1 else None
            return 0 if start is None or (isinstance(start, cst.Integer) and start.value == "0") else 1
        node = node.args[0].value
    return None


def _counts(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and _last(node.func) in ("range", "trange", "count", "xrange")


def _target_names(target: cst.CSTNode) -> list[str]:
    match target:
        case cst.Name(value=name):
            return [name]
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return [name for element in elements for name in _target_names(element.value)]
        case cst.StarredElement(value=value):
            return _target_names(value)
        case _:
            return []


def _bound_names(node: cst.CSTNode) -> set[str]:
    """The names and attributes of self that code binds, nested functions excepted."""
    found: set[str] = set()
    work: list[cst.CSTNode] = [node]
    while work:
        each = work.pop()
        if isinstance(each, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            continue
        targets: list[cst.BaseExpression] = []
        if isinstance(each, cst.Assign):
            targets = [target.target for target in each.targets]
        elif isinstance(each, (cst.AugAssign, cst.AnnAssign, cst.For, cst.NamedExpr)):
            targets = [each.target]
        for target in targets:
            found |= set(_target_names(target))
            if isinstance(target, cst.Attribute):
                found.add(text(target))
        if not isinstance(each, cst.BaseExpression):
            work += each.children
    return found


def _leaves(body: cst.CSTNode) -> bool:
    """Whether code breaks or continues the loop that it stands in."""
    work: list[cst.CSTNode] = [body]
    while work:
        each = work.pop()
        if isinstance(each, (cst.Break, cst.Continue)):
            return True
        if not isinstance(each, (cst.For, cst.While, cst.FunctionDef, cst.ClassDef, cst.BaseExpression)):
            work += each.children
    return False
