"""Names, attributes and items: what an assignment makes of the values that are known."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from loopcheck.loop import Role
from loopcheck.read.expressions import Expressions, text
from loopcheck.read.hints import augmented
from loopcheck.read.state import key_of
from loopcheck.read.values import (
    NONE,
    UNKNOWN_PARAMS,
    Api,
    Choice,
    Class,
    Const,
    Grad,
    Instance,
    Items,
    Object,
    Params,
    Symbol,
    Tensor,
    Value,
    parts_of,
    role_of,
    roles_in,
    tensor_in,
)
from loopcheck.read.vocabulary import annotated


class Binding(Expressions):
    """The layer that binds."""

    def freeze(self, models: frozenset[Role], frozen: bool = True) -> None:
        """All parameters of these models stop needing a gradient, or need it again: see `calls`."""

    def edited_gradients(self, params: Params, node: cst.CSTNode) -> None:
        """The gradients of parameters are changed by hand: see `loops`."""

    def cleared(self, params: Params, node: cst.CSTNode) -> None:
        """The gradients of parameters are cleared by hand; under a condition, only of some: see `loops`."""

    def assign(self, target: cst.BaseExpression, value: Value) -> None:
        counted = augmented(self.frame.source.text)
        if isinstance(value, Const) and type(value.value) in (int, float) and last_name(target) in counted:
            value = self.fresh(f"{self.frame.name}.{last_name(target)}", counter=True)
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
            case Params() | Symbol() if name == "grad":
                change = self.cleared if value == NONE else self.edited_gradients
                change(base if isinstance(base, Params) else UNKNOWN_PARAMS, target)
            case Params() if name == "requires_grad" and isinstance(value, Const) and value.value is False:
                if base.whole and not base.grouped:
                    self.freeze(base.models)
            case Instance(role=whole):
                for arm in parts_of(value) if isinstance(value, Choice) else [value]:
                    inner = role_of(arm)
                    if whole and inner and whole.kind == inner.kind == "model" and inner is not whole:
                        inner.part_of = inner.part_of or whole
                self.store[(base, name)] = value
            case Object(role):
                self.store[(role, name)] = value
            case Api() if roles_in(value):
                self.emit("escape", roles_in(value), target)
                self.store[(base, name)] = value
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
            case Items(), _:
                tensor = tensor_in(Items((base, value)))
                self.assign(target.value, tensor or self.fresh(last_name(target.value)))
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
                self.assign(target, self.symbol(f"{value.key}[{index}].{last_name(target)}", value.names))
            else:
                self.assign(target, self.fresh(f"{self.frame.name}.{last_name(target)}"))

    def _annotate(self, target: cst.BaseExpression, annotation: str, value: Value) -> None:
        kind = annotated(annotation)
        if isinstance(value, Symbol) and value.role is None and kind:
            value.role = Role(kind, text(target), open=kind != "model", evidence="annotated")
        self.assign(target, value)

    def _augment(self, node: cst.AugAssign, target: cst.BaseExpression, op: cst.BaseAugOp, value: Value) -> None:
        before = self.evaluate(target)
        if isinstance(before, Params):
            return  # weights, not gradients
        if isinstance(before, Grad) or last_name(target) == "grad":
            self.edited_gradients(before.of if isinstance(before, Grad) else UNKNOWN_PARAMS, target)
            return
        result = self._binary(op, before, value, (target, node.value))
        if isinstance(result, (Tensor, Items, Params)):
            self.assign(target, result)
        else:
            self.assign(target, self.fresh(f"{self.frame.name}.{last_name(target)}", counter=isinstance(value, Const)))


def last_name(node: cst.BaseExpression) -> str:
    """`model` of `self.model`."""
    return text(node).rpartition(".")[2]


def target_names(target: cst.CSTNode) -> list[str]:
    match target:
        case cst.Name(value=name):
            return [name]
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return [name for element in elements for name in target_names(element.value)]
        case cst.StarredElement(value=value):
            return target_names(value)
        case _:
            return []
