"""Statements: order, branches, loops and scopes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from functools import partial

import libcst as cst

from loopcheck.loop import Role, Test
from loopcheck.read.binding import last_name
from loopcheck.read.expressions import text
from loopcheck.read.loops import Loops
from loopcheck.read.state import GRAD, Condition, key_of, names_of, negate
from loopcheck.read.values import (
    NONE,
    Api,
    Choice,
    Class,
    Const,
    Frame,
    Function,
    Later,
    Scope,
    Symbol,
    Tensor,
    Value,
    parts_of,
    role_of,
)
from loopcheck.read.vocabulary import Scoped, annotated, function


class Statements(Loops):
    """The layer that reads statements."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.resumes: list[Callable[[Value], None]] = []

    def execute(self, body: cst.BaseSuite | cst.Module) -> None:
        """Every statement of a suite, until control has left it."""
        if isinstance(body, cst.SimpleStatementSuite):  # `if amp: scaler.update()`
            self.statement(body)
            return
        for statement in body.body:
            if not self.live:
                return
            self.statement(statement)

    def body_of(self, function: Function) -> None:
        node = function.node
        if isinstance(node, cst.Lambda):
            self.returns.append(({}, self.evaluate(node.body)))
            return
        with_grad = self._scope_around(node)
        before = self.store[GRAD]
        if with_grad is not None:
            self.store[GRAD] = with_grad
        self.execute(node.body)
        self.store[GRAD] = before

    def decorated(self, function: Function) -> Function | None:
        node = function.node
        if isinstance(node, cst.Lambda) or function.bare or not node.decorators:
            return None
        made: Value = replace(function, me=None, bare=True)
        here, self.frame = self.frame, function.frame
        try:
            for mark in reversed(node.decorators):
                decorator = self.evaluate(mark.decorator)
                if isinstance(decorator, Function):
                    made = self.inline(mark, decorator, (made,), {})
        finally:
            self.frame = here
        return made if isinstance(made, Function) and made.node is not node else None

    def _scope_around(self, node: cst.FunctionDef) -> Value | None:
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
                before = self._handed_in(targets[0].target, value)
                result = self.evaluate(value)
                if before is not None and isinstance(result, Tensor):
                    result = before  # `model = wrap(model)` by code out of sight
                for target in targets:
                    self.assign(target.target, result)
            case cst.AnnAssign(target=target, annotation=annotation, value=value):
                if value is not None:
                    self._annotate(target, text(annotation.annotation), self.evaluate(value))
            case cst.AugAssign(target=target, operator=operator, value=value):
                self._augment(node, target, operator, self.evaluate(value))
            case cst.Return(value=value):
                self.returns.append((dict(self.assumed), self.evaluate(value) if value else NONE))
                self._at_last()
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
                    top = name.partition(".")[0]
                    bound = _alias(alias) or top
                    self.store[(self.frame, bound)] = self.module(name if alias.asname else top)
            case cst.ImportFrom():
                self._import_from(node)
            case cst.Del(target=target):
                if isinstance(target, cst.Name):
                    self.store.forget((self.frame, target.value))
            case cst.Global(names=names) | cst.Nonlocal(names=names):
                pass
            case cst.Assert(test=test):
                self.evaluate(test)

    def _handed_in(self, target: cst.BaseExpression, value: cst.BaseExpression) -> Value | None:
        """The model of a name that is bound again to what a call makes of it."""
        if not isinstance(value, cst.Call) or all(text(arg.value) != text(target) for arg in value.args):
            return None
        before = self.evaluate(target)
        models = [role_of(part) for part in parts_of(before)]
        return before if models and all(role and role.kind == "model" for role in models) else None

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
            self.store[(self.frame, _alias(alias) or name)] = self.imported(module, name)

    def module(self, name: str) -> Value:
        """`import name`: see `imports`."""
        return Api(name)

    def imported(self, module: str, name: str) -> Value:
        """`from module import name`: see `imports`."""
        return Api(f"{module}.{name}")

    def starred(self, module: str) -> None:
        """`from module import *`: see `imports`."""

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
            test = replace(self.test(f"{key_of(subject)} matches {text(arm.pattern)}", names_of(subject)), at=self.site(arm))
            wild = isinstance(arm.pattern, cst.MatchAs) and arm.pattern.pattern is None and arm.guard is None
            condition: Condition = True if wild else test
            self.branch(condition, lambda: self.execute(arm.body), lambda: case(index + 1))

        case(0)

    def _at_last(self) -> None:
        """A function is left: what stands in the `finally` of the blocks around runs first."""
        finals = self.finals
        while self.finals:
            *self.finals, last = self.finals
            self.execute(last.body)
        self.finals = finals

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        before = self.finals
        self.finals = [*before, node.finalbody] if node.finalbody else before
        self._tried(node)
        self.finals = before
        if node.finalbody and self.live:
            self.execute(node.finalbody.body)

    def _tried(self, node: cst.Try | cst.TryStar) -> None:
        self.execute(node.body)
        fell = self.live
        for handler in node.handlers:
            test = Test(self.fresh("raises").key, frozenset([f"raises#{id(handler)}"]), at=self.site(handler))

            def handle(body: cst.BaseSuite = handler.body) -> None:
                self.execute(body)

            self.live = True
            self.branch(test, handle, partial(self._restore, fell))
            fell = self.live
        if node.orelse and self.live:
            self.execute(node.orelse.body)

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
        if not isinstance(callee, Function):
            return None
        marks = getattr(callee.node, "decorators", ())
        return callee if any(last_name(mark.decorator) == "contextmanager" for mark in marks) else None

    def _managed_with(self, item: cst.WithItem, node: cst.Call, manager: Function, read: Callable[[], None]) -> None:
        """A `with` over a generator of the project: its body runs where the generator yields."""
        frame, stack, returns, finals = self.frame, self.stack, self.returns, self.finals
        ways: list[bool] = []

        def resume(value: Value) -> None:
            inner = self.frame, self.stack, self.returns, self.finals
            self.frame, self.stack, self.returns, self.finals = frame, stack, returns, finals
            if item.asname is not None and isinstance(item.asname.name, cst.BaseExpression):
                self.assign(item.asname.name, value)
            read()
            ways.append(self.live)
            self.live = True
            self.frame, self.stack, self.returns, self.finals = inner

        self.resumes.append(resume)
        self.invoke(node, manager, *self._arguments(node))
        self.resumes.pop()
        if not ways:  # it never yielded, as far as was read
            read()
        elif not any(ways):
            self.leave("return")

    def yielded(self, value: Value) -> Value:
        if not self.resumes:
            return value
        resume = self.resumes.pop()
        resume(value)
        self.resumes.append(resume)  # to go on with wherever else it may yield
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
        around, self.at_exit = self.at_exit, []
        read()
        for assumed, callback in reversed(self.at_exit):
            self._under(assumed, callback)
        self.at_exit = around
        self.store[GRAD] = before
        if isinstance(context, Scope) and context.leave:
            context.leave()

    def _under(self, assumed: Mapping[Hashable, bool], run: Callable[[], object]) -> None:
        """Read on where all this holds."""
        undecided = next((key for key in assumed if key not in self.assumed), None)
        if undecided is not None:
            test, rest = self.tests[undecided], {key: outcome for key, outcome in assumed.items() if key != undecided}
            self.branch(test if assumed[undecided] else negate(test), partial(self._under, rest, run))
        elif self.live and all(self.assumed[key] is outcome for key, outcome in assumed.items()):
            run()

    # classes

    def _class(self, node: cst.ClassDef) -> None:
        bases = tuple(self._base(base.value) for base in node.bases)
        cls = Class(node, self.frame, bases)
        for statement in node.body.body:
            if isinstance(statement, cst.FunctionDef):
                cls.methods[statement.name.value] = Function(statement, self.frame, None, cls)
            elif isinstance(statement, cst.SimpleStatementLine):
                self._class_fields(cls, statement)
        self.store[(self.frame, node.name.value)] = cls

    def _base(self, node: cst.BaseExpression) -> Value:
        """A base class; a name of another module is not looked at before somebody asks."""
        stored = self.store.get((self.frame, node.value)) if isinstance(node, cst.Name) else None
        return stored if isinstance(stored, Later) else self.inherited(self.evaluate(node))

    def _class_fields(self, cls: Class, line: cst.SimpleStatementLine) -> None:
        for part in line.body:
            if isinstance(part, cst.Assign) and isinstance(part.targets[0].target, cst.Name):
                self.store[(cls, part.targets[0].target.value)] = self.evaluate(part.value)
            elif isinstance(part, cst.AnnAssign) and isinstance(part.target, cst.Name):
                name = part.target.value
                default = self.evaluate(part.value) if part.value else None
                known = default if isinstance(default, Const) else None
                kind = annotated(text(part.annotation.annotation))
                symbol = self.symbol(f"{cls.node.name.value}.{name}", (), known)
                if kind and symbol.role is None:
                    symbol.role = Role(kind, name, open=kind != "model", evidence="annotated")
                self.store[(cls, name)] = symbol


def _alias(alias: cst.ImportAlias) -> str:
    return alias.asname.name.value if alias.asname and isinstance(alias.asname.name, cst.Name) else ""


def _switches_grad(node: cst.Call) -> bool:
    return text(node.func).endswith("set_grad_enabled")


def _is_main_guard(test: cst.BaseExpression) -> bool:
    return isinstance(test, cst.Comparison) and isinstance(test.left, cst.Name) and test.left.value == "__name__"


# fmt: skip
