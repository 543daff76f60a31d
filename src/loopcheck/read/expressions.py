"""Expressions: what they are worth, and the events on the way."""

from __future__ import annotations

import builtins
import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import libcst as cst

from loopcheck.loop import Role, Test
from loopcheck.read.project import Module
from loopcheck.read.state import And, Condition, Not, State, both, either_of, key_of, names_of, negate
from loopcheck.read.store import Key
from loopcheck.read.values import (
    NONE,
    UNKNOWN_PARAMS,
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
    Later,
    Object,
    Params,
    Scope,
    Super,
    Symbol,
    Tensor,
    Value,
    role_of,
    tensor_in,
)
from loopcheck.read.vocabulary import attributes
from loopcheck.words import COUNTERS, MICRO, TOOLS, words

_FOLD: dict[type[cst.CSTNode], Callable[[Any, Any], object]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Power: operator.pow,
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
}
_POSITIVE: dict[type[cst.CSTNode], cst.BaseCompOp] = {cst.NotEqual: cst.Equal(), cst.IsNot: cst.Is(), cst.NotIn: cst.In()}
MODE = ("model", "training")
_OF_STORAGE = {"shape", "device", "dtype", "ndim"}
_DETACHED = _OF_STORAGE | {"data", "requires_grad", "is_leaf", "grad_fn", "size"}


@lru_cache(maxsize=4096)
def text(node: cst.CSTNode) -> str:
    """A node as it is written."""
    return cst.Module([]).code_for_node(node).strip()


class Expressions(State):
    """The layer that reads expressions."""

    def call(self, node: cst.Call) -> Value:
        """A call: see `calls`."""
        raise NotImplementedError

    def comprehension(self, node: cst.BaseComp) -> Value:
        """A comprehension: see `statements`, it loops."""
        raise NotImplementedError

    def yielded(self, value: Value) -> Value:
        """A generator hands over: see `statements`, where a `with` body runs at this point."""
        return value

    def fetched(self, value: Value) -> Value:
        """What a name of another module of the project is worth: see `imports`."""
        return value

    def looked_up(self, key: Key, later: Later) -> Value:
        """The worth of an imported name, for good."""
        value = self.fetched(later)
        with self.store.whichever_arm():
            self.store[key] = value
        return value

    def member(self, module: Module, name: str) -> Value:
        """`module.name` of a module of the project: see `imports`."""
        raise NotImplementedError

    def evaluate(self, node: cst.BaseExpression) -> Value:
        """The value of an expression."""
        match node:
            case cst.Name(value=name):
                return self.settled(self.lookup(name))
            case cst.Attribute(value=base, attr=attr):
                value = self.settled(self.attribute(self.evaluate(base), attr.value))
                return value.base if isinstance(value, Bound) and isinstance(value.base, Tensor) else value  # outputs.loss
            case cst.Call():
                return self.settled(self.call(node))
            case cst.Integer() | cst.Float():
                return Const(node.evaluated_value)
            case cst.SimpleString():
                return Const(node.evaluated_value)
            case cst.ConcatenatedString(left=left, right=right):
                parts = self.evaluate(left), self.evaluate(right)
                return Const(node.evaluated_value) if all(isinstance(part, Const) for part in parts) else self.fresh("text")
            case cst.Tuple(elements=elements) | cst.List(elements=elements) | cst.Set(elements=elements):
                return self._sequence(elements)
            case cst.Dict(elements=elements):
                return self._dict(elements)
            case cst.IfExp(test=test, body=body, orelse=orelse):
                return self._if(test, body, orelse)
            case cst.BooleanOperation() | cst.Comparison() | cst.UnaryOperation(operator=cst.Not()):
                return self._truth(node)
            case cst.UnaryOperation(expression=inner):
                return self._unary(node, self.evaluate(inner))
            case cst.BinaryOperation():
                values = self.evaluate(node.left), self.evaluate(node.right)
                return self._binary(node.operator, *values, (node.left, node.right))
            case cst.Subscript(value=base):
                return self._subscript(node, self.evaluate(base))
            case cst.Lambda():
                return Function(node, self.frame)
            case cst.BaseComp():
                return self.comprehension(node)
            case cst.NamedExpr(target=cst.Name(value=name), value=value):
                result = self.evaluate(value)
                self.store[(self.frame, name)] = result
                return result
            case cst.Await(expression=inner) | cst.StarredElement(value=inner):
                return self.evaluate(inner)
            case cst.Yield(value=inner):
                return self.yielded(self.evaluate(inner) if isinstance(inner, cst.BaseExpression) else NONE)
            case cst.FormattedString(parts=parts):
                for part in parts:
                    if isinstance(part, cst.FormattedStringExpression):
                        self.evaluate(part.expression)
                return self.fresh("text")
            case _:
                return self.fresh("value")

    # names

    def lookup(self, name: str) -> Value:
        """A variable's value, from the innermost frame that has it."""
        if name in ("True", "False", "None"):
            return Const({"True": True, "False": False, "None": None}[name])
        frame: Frame | None = self.frame
        while frame:
            found = self.store.get((frame, name))
            if isinstance(found, Later):
                return self.looked_up((frame, name), found)
            if found is not None:
                return found
            frame = frame.parent
        if name in _BUILTINS:
            return Api(f"builtins.{name}")
        return self.symbol(f"{self.frame.label}.{name}", self.frame.names)

    def attribute(self, base: Value, name: str) -> Value:
        """`base.name`."""
        match base:
            case Choice(test, then, other):
                return self.choice(test, self.attribute(then, name), self.attribute(other, name))
            case Api(path):
                return self.store.get((base, name)) or Api(f"{path}.{name}")
            case Module():
                return self.member(base, name)
            case Instance():
                return self._member(base, name)
            case Object(role):
                if (role, name) in self.store:
                    return self.store[(role, name)]
                return self.known_attribute(base, role, name) or Bound(base, name)
            case Symbol(key) if name.endswith("_") and key.endswith((".grad", ".grad.data")):
                return Bound(Grad(UNKNOWN_PARAMS), name)
            case Symbol(key, names):
                if (base, name) in self.store:
                    return self.store[(base, name)]
                known = self.known_attribute(base, base.role, name) if base.role else None
                return known or self.symbol(f"{key}.{name}", names, self.default_of(name))
            case Tensor(models=models) if name == "requires_grad" and models:
                return Const(True)
            case Tensor():
                return self.symbol(f"{base.key}.{name}", [base.key]) if name in _DETACHED else Bound(base, name)
            case Params() if name == "grad":
                return Grad(base)
            case Params() if name in _OF_STORAGE:
                return self.symbol(f"{key_of(base)}.{name}")
            case Grad():
                return base if name == "data" else Bound(base, name)
            case Bound(Object(Role(kind="model") as layer), "weight" | "bias" as part):
                return self.attribute(Tensor(f"{layer.name}.{part}", frozenset([layer])), name)
            case Bound(Object(Role(kind="model")) | Instance() as whole, part) if role_of(whole) and not words(part) & TOOLS:
                return self.attribute(self.part(whole, part), name)
            case Items(values, tuple() as keys) if name in keys:
                return values[keys.index(name)]
            case Super(me, cls):
                return (self.method_of(cls, name, me) if cls else None) or Bound(me, name)
            case Class():
                stored = self.store.get((base, name))
                return stored or self.method_of(base, name, None) or self.symbol(f"{key_of(base)}.{name}")
            case _:
                return Bound(base, name)

    def known_attribute(self, base: Value, role: Role, name: str) -> Value | None:
        """What the vocabulary says of an object's attribute: the object itself, one that it was built from, or a value."""
        if (role.kind, name) == MODE:
            return self.symbol(f"{role.name}.training")
        found = attributes().get((role.kind, name))
        if found is None:
            return None
        if callable(found):
            return found(self.kept.get(role, {})) or self.symbol(f"{key_of(base)}.{name}")
        return next((Object(source, self.kept.get(source, {})) for source in role.of if source.kind == found), base)

    def part(self, whole: Value, name: str) -> Value:
        """A submodule that was not seen when the module was made."""
        role = role_of(whole)
        assert role
        if (role, name) not in self.store:
            self.store[(role, name)] = Object(
                Role("model", f"{role.name}.{name}", part_of=role, open=role.open, evidence=role.evidence)
            )
        return self.store[(role, name)]

    def default_of(self, name: str) -> Const | None:
        """What an option of this name is worth where the user says nothing: see `program`."""
        return None

    def _member(self, base: Instance, name: str) -> Value:
        if (base, name) in self.store:
            return self.store[(base, name)]
        method = self.method_of(base.cls, name, base)
        if method is not None:
            return method
        stored = next((self.store[(cls, name)] for cls in self.lineage(base.cls) if (cls, name) in self.store), None)
        if stored is not None:
            return stored
        known = self.known_attribute(base, base.role, name) if base.role else None
        if known is not None:
            return known
        return Bound(base, name) if base.role else self.symbol(f"{base.key}.{name}", (), self.default_of(name))

    def inherited(self, base: Value) -> Value:
        """What a class inherits from: see `managed`."""
        return base

    def bases_of(self, cls: Class) -> tuple[Value, ...]:
        """The bases of a class; those of other modules are looked up now."""
        cls.bases = tuple(self.inherited(self.fetched(base)) if isinstance(base, Later) else base for base in cls.bases)
        return cls.bases

    def lineage(self, cls: Class) -> list[Class]:
        """The class and its bases of the project, nearest first."""
        found = [cls]
        for base in self.bases_of(cls):
            if isinstance(base, Class) and base not in found:
                found += [each for each in self.lineage(base) if each not in found]
        return found

    def method_of(self, cls: Class, name: str, me: Value | None) -> Value | None:
        """A method of the class, bound to `me`."""
        for each in self.lineage(cls):
            method = each.methods.get(name)
            if method is None:
                continue
            marks = {text(mark.decorator) for mark in getattr(method.node, "decorators", ())}
            if "staticmethod" in marks:
                return method
            bound = Function(method.node, method.frame, me if "classmethod" not in marks else cls, each)
            if me is not None and marks & {"property", "cached_property", "functools.cached_property"}:
                return self.property_of(bound)
            return bound
        return None

    def property_of(self, method: Function) -> Value:
        """What a property returns: see `calls`."""
        raise NotImplementedError

    # operators

    def _sequence(self, elements: Sequence[cst.BaseElement]) -> Value:
        values: list[Value] = []
        for element in elements:
            value = self.evaluate(element.value)
            if isinstance(element, cst.StarredElement):
                if not isinstance(value, Items):
                    return self.fresh("sequence")
                values += value.values
            else:
                values.append(value)
        return Items(tuple(values))

    def _dict(self, elements: Sequence[cst.BaseDictElement]) -> Value:
        keys: list[object] = []
        values: list[Value] = []
        for element in elements:
            value = self.evaluate(element.value)
            key = self.evaluate(element.key) if isinstance(element, cst.DictElement) else None
            if not isinstance(key, Const):
                return self.fresh("dict")
            keys.append(key.value)
            values.append(value)
        return Items(tuple(values), tuple(keys))

    def _if(self, test: cst.BaseExpression, body: cst.BaseExpression, orelse: cst.BaseExpression) -> Value:
        values: dict[bool, Value] = {}
        condition = self.condition(test)

        def arm(holds: bool, node: cst.BaseExpression) -> None:
            values[holds] = self.evaluate(node)

        self.branch(condition, lambda: arm(True, body), lambda: arm(False, orelse))
        return self.chosen(condition, values.get(True, NONE), values[False]) if False in values else values[True]

    def chosen(self, condition: Condition, then: Value, other: Value) -> Value:
        """The one value where the condition holds, the other where it does not."""
        match condition:
            case bool():
                return then if condition else other
            case Not(of):
                return self.chosen(of, other, then)
            case And(left, right):
                return self.chosen(left, self.chosen(right, then, other), other)
            case _:
                if condition.key in self.assumed:
                    return then if self.assumed[condition.key] else other
                return self.choice(condition, then, other)

    def _truth(self, node: cst.BaseExpression) -> Value:
        return self.chosen(self.condition(node), Const(True), Const(False))

    def _unary(self, node: cst.UnaryOperation, value: Value) -> Value:
        if isinstance(value, Const) and isinstance(value.value, (int, float)) and isinstance(node.operator, cst.Minus):
            return Const(-value.value)
        if isinstance(value, (Tensor, Const)):
            return value if isinstance(value, Tensor) else self.fresh("value")
        return self.symbol(f"{type(node.operator).__name__}({key_of(value)})", names_of(value))

    def _binary(
        self, op: cst.CSTNode, left: Value, right: Value, written: tuple[cst.BaseExpression, cst.BaseExpression]
    ) -> Value:
        if isinstance(left, Const) and isinstance(right, Const):
            try:
                return Const(_FOLD[type(op)](left.value, right.value))
            except (KeyError, TypeError, ValueError, ArithmeticError):
                return self.fresh("value")
        if isinstance(left, Items) and isinstance(right, Items) and isinstance(op, (cst.Add, cst.AddAssign)):
            return Items(left.values + right.values)
        if isinstance(left, Params) and isinstance(right, Params):
            return Params(
                left.models | right.models, left.whole and right.whole, left.grouped or right.grouped, left.open or right.open
            )
        a, b = tensor_in(left), tensor_in(right)
        if a and b:
            return a.merged(b)
        if a and isinstance(op, (cst.Divide, cst.DivideAssign)):
            divided = None if _is_literal(written[1]) else True
            return replace(a, divided=a.divided or divided, divisors=(*a.divisors, (right, text(written[1]))))
        if tensor := a or b:
            multiplied = isinstance(op, (cst.Multiply, cst.MultiplyAssign))
            share = multiplied and _may_be_share(*((right, written[1]) if a else (left, written[0])))
            return replace(tensor, divided=tensor.divided or None) if share else tensor
        return self.symbol(f"({key_of(left)} {type(op).__name__} {key_of(right)})", names_of(left) | names_of(right))

    def _subscript(self, node: cst.Subscript, base: Value) -> Value:
        indices = [each.slice.value for each in node.slice if isinstance(each.slice, cst.Index)]
        index = self.evaluate(indices[0]) if len(indices) == 1 == len(node.slice) else self.fresh("slice")
        return self.item(base, index)

    def item(self, base: Value, index: Value) -> Value:
        """`base[index]`."""
        match base, index:
            case Choice(test, then, other), _:
                return self.choice(test, self.item(then, index), self.item(other, index))
            case Items(values, None), Const(int() as at) if -len(values) <= at < len(values):
                return values[at]
            case Items(values, tuple() as keys), Const(key) if key in keys:
                return values[keys.index(key)]
            case Items(values, _), _ if values and (tensor := tensor_in(base)):
                return tensor
            case Tensor() | Params() | Grad(), _:
                return base
            case ((Symbol() | Instance()), _) if (base, key_of(index)) in self.store:
                return self.store[(base, key_of(index))]
            case Object(Role(kind="model")), Const(str() as part):
                return self.part(base, part)  # of a ModuleDict
            case Symbol(key, names), _:
                name = index.value if isinstance(index, Const) and isinstance(index.value, str) else ""
                return self.symbol(f"{key}[{key_of(index)}]", names | names_of(index), self.default_of(name))
            case _:
                return self.symbol(f"{key_of(base)}[{key_of(index)}]", names_of(base) | names_of(index))

    # conditions

    def condition(self, node: cst.BaseExpression) -> Condition:
        """When an expression is true."""
        return self._located(self._condition(node), node)

    def _located(self, condition: Condition, node: cst.BaseExpression, inverted: bool = False, whole: bool = True) -> Condition:
        """The condition with where it is written; of one put together from others, where they are, or else where it is."""
        match condition:
            case Test(at=at) if whole or at is None:
                return self._known(replace(condition, at=self.site(node), inverted=inverted))
            case Not(of):
                return Not(self._located(of, node, not inverted, whole))
            case And(left, right):
                return And(self._located(left, node, inverted, False), self._located(right, node, inverted, False))
            case _:
                return condition

    def _condition(self, node: cst.BaseExpression) -> Condition:
        match node:
            case cst.UnaryOperation(operator=cst.Not(), expression=inner):
                return negate(self.condition(inner))
            case cst.BooleanOperation(left=left, operator=cst.And(), right=right):
                first = self.condition(left)
                return first if first is False else both(first, self.condition(right))
            case cst.BooleanOperation(left=left, operator=cst.Or(), right=right):
                first = self.condition(left)
                return first if first is True else either_of(first, self.condition(right))
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=op, comparator=right)]):
                return self._counted(self._comparison(self.evaluate(left), op, self.evaluate(right)), left, right)
            case cst.Comparison(left=left, comparisons=targets):
                values = [self.evaluate(left), *(self.evaluate(target.comparator) for target in targets)]
                condition: Condition = True
                for target, before, after in zip(targets, values, values[1:], strict=False):
                    condition = both(condition, self._comparison(before, target.operator, after))
                return condition
            case cst.BinaryOperation(operator=cst.Modulo(), left=left, right=right):
                remainder = self.evaluate(node)
                return negate(self._counted(self._comparison(remainder, cst.Equal(), Const(0)), node, cst.Integer("0")))
            case _:
                return self.truth(self.evaluate(node))

    def _counted(self, condition: Condition, left: cst.BaseExpression, right: cst.BaseExpression) -> Condition:
        """The condition with what it says of a counter: the window that it tests for, and when in a loop it holds."""
        if isinstance(condition, Not):
            return Not(self._counted(condition.of, left, right))
        if isinstance(condition, Test) and any(_counts_steps(side) for side in (left, right)):
            condition = replace(condition, counter=True)
        if not isinstance(condition, Test) or not condition.counter:
            return condition
        key = _in_step(str(condition.key))
        zero_based = bool(condition.names & self.zero_based)
        for side, other in ((left, right), (right, left)):
            if isinstance(side, cst.BinaryOperation) and isinstance(side.operator, cst.Modulo):
                first = zero_based and bool(re.match(r"^\(\S+ Modulo .+\) Equal 0$", key))
                return self._known(replace(condition, key=key, window=text(side.right), following=_moved_on(key), first=first))
            if words(text(other)) & MICRO and "%" not in text(side):
                return self._known(replace(condition, window=text(other)))
        last = zero_based and "builtins.len(" in key and " Equal " in key
        first = zero_based and re.match(r"^\S+ Equal 0$", key) is not None
        return self._known(replace(condition, first=first, last=last))

    def _known(self, test: Test) -> Test:
        self.tests[test.key] = test
        return test

    def _comparison(self, left: Value, op: cst.BaseCompOp, right: Value) -> Condition:
        left, right = self.settled(left), self.settled(right)
        if isinstance(op, (cst.NotEqual, cst.IsNot, cst.NotIn)):
            return negate(self._comparison(left, _POSITIVE[type(op)], right))
        if isinstance(left, Choice):
            return self._either_way(left.test, self._comparison(left.then, op, right), self._comparison(left.other, op, right))
        if isinstance(right, Choice):
            return self._either_way(right.test, self._comparison(left, op, right.then), self._comparison(left, op, right.other))
        if isinstance(left, Symbol) and right == Const(1) and isinstance(op, (cst.GreaterThan, cst.LessThanEqual)):
            one = self._comparison(left, cst.Equal(), right)  # of a count: `k > 1` is all that `k == 1` is not
            return one if isinstance(op, cst.LessThanEqual) else negate(one)
        if isinstance(op, (cst.Is, cst.Equal)) and right == NONE:
            return negate(self.truth(left, present=True))
        if isinstance(left, Const) and isinstance(right, Const):
            return self._folded(left, op, right)
        constants = isinstance(right, Items) and all(isinstance(each, Const) for each in right.values)
        if isinstance(left, Const) and isinstance(op, cst.In) and isinstance(right, Items) and constants:
            return left in right.values
        key = f"{key_of(left)} {type(op).__name__} {key_of(right)}"
        return self.test(key, names_of(left) | names_of(right))

    def _either_way(self, test: Test, then: Condition, other: Condition) -> Condition:
        return then if then == other else either_of(both(test, then), both(negate(test), other))

    def _folded(self, left: Const, op: cst.BaseCompOp, right: Const) -> Condition:
        if isinstance(op, (cst.Is, cst.Equal)):
            return left.value == right.value
        try:
            if isinstance(op, cst.In):
                return left.value in right.value  # type: ignore[operator]
            return bool(_FOLD[type(op)](left.value, right.value))
        except (KeyError, TypeError):
            return self.test(self.fresh("test").key, frozenset())

    def truth(self, value: Value, present: bool = False) -> Condition:
        """When a value is true; with `present`, when it is not None. Of an unknown value these are one test."""
        value = self.settled(value)
        match value:
            case Const(constant):
                return constant is not None if present else bool(constant)
            case Choice(test, then, other):
                return self._either_way(test, self.truth(then, present), self.truth(other, present))
            case Symbol(key, names):
                return self.test(key, names)
            case Tensor(key) if not present:
                return self.test(key, frozenset([key]))
            case Items(values) if not present:
                return bool(values)
            case Params() | Grad() | Scope() | Bound() if not present:
                return self.test(self.fresh("test").key, frozenset())
            case _:
                return True


def _counts_steps(node: cst.BaseExpression) -> bool:
    """`(global_step + 1) % k`: its name says that it counts, wherever it comes from."""
    return (
        isinstance(node, cst.BinaryOperation)
        and isinstance(node.operator, cst.Modulo)
        and bool(words(text(node.left)) & COUNTERS)
    )


def _moved_on(key: str) -> str:
    """The key of `i % k == 0`, given that of `(i + 1) % k == 0`; of `(i - 1) % k == 0`, given that of `i % k == 0`."""
    shifted = re.sub(r"^\(\((\S+) Add 1\) Modulo", r"(\1 Modulo", key)
    return shifted if shifted != key else re.sub(r"^\((\S+) Modulo", r"((\1 Subtract 1) Modulo", key)


def _in_step(key: str) -> str:
    """`i % k == k - 1` said as `(i + 1) % k == 0`, and `i % k == 1` as `(i - 1) % k == 0`."""
    parts = re.match(r"^\((\S+) Modulo (.+)\) Equal (.+)$", key)
    if not parts:
        return key
    counter, window, rest = parts.groups()
    if rest == f"({window} Subtract 1)" or (window.isdigit() and rest == str(int(window) - 1)):
        return f"(({counter} Add 1) Modulo {window}) Equal 0"
    return f"(({counter} Subtract 1) Modulo {window}) Equal 0" if rest == "1" else key


def _is_literal(node: cst.BaseExpression) -> bool:
    return isinstance(node, (cst.Integer, cst.Float))


def _may_be_share(factor: Value, written: cst.BaseExpression) -> bool:
    """Multiplied by this a loss may be its share of a mean: by one over a whole number, or by what is not known.

    A number that is written out is the weight of a term.
    """
    if not isinstance(factor, Const):
        return True
    value = factor.value
    whole = isinstance(value, float) and 0 < value < 1 and math.isclose(1 / value, round(1 / value))
    return whole and not _is_literal(written)


_BUILTINS = frozenset(dir(builtins))
