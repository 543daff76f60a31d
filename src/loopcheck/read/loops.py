"""Loops: their variables, what kind of pass they are, and where they begin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import libcst as cst

from loopcheck import words as kinds
from loopcheck.loop import Event, Repeat, Role
from loopcheck.read.binding import last_name, target_names
from loopcheck.read.expressions import text
from loopcheck.read.inlining import Inlining
from loopcheck.read.passes import Pass, settle_pass
from loopcheck.read.state import names_of
from loopcheck.read.values import (
    NONE,
    Choice,
    Const,
    Frame,
    Function,
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
    tensor_in,
)

MOST_UNROLLED = 4
"""A loop over so many known objects is read once for each."""


class Loops(Inlining):
    """The layer that reads loops."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.passes: list[Pass] = []
        self.edited = False

    def execute(self, body: cst.BaseSuite | cst.Module) -> None:
        """Every statement of a suite: see `statements`."""
        raise NotImplementedError

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
        turn = Pass(node, self._over(written), self._function(), counter, iterates)

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

    def _function(self) -> str:
        """The name of the function around; of a unit test, which holds nothing out, none."""
        return "" if kinds.is_unit_test(self.frame.name, self.frame.source.path) else self.frame.name

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

        self._loop(node.body, Pass(node, text(node.test), self._function()), once)
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
        self.out.append(region if each_object else Repeat(region, frozenset(self.made[first:]), self.site(turn.node)))
        if not each_object:
            settle_pass(turn, region, self.passes, self.edited)
        self.edited = self.edited or edited

    def noticed(self, event: Event) -> None:
        if self.passes:
            self.passes[-1].forwards.append(event)

    def differentiated(self, models: Iterable[Role]) -> None:
        if self.passes:
            self.passes[-1].adapted.update(models)

    def cleared(self, params: Params, node: cst.CSTNode) -> None:
        some = any("grad" not in text(guard) for guard in self.guards)
        self.emit("zero_grad", () if some else params.models, node, open=some or params.open)

    def edited_gradients(self, params: Params, node: cst.CSTNode) -> None:
        self.emit("edit", params.models, node, open=params.open)
        self.edited = True

    def _havoc(self, body: cst.CSTNode, label: str) -> None:
        """What the body binds again is not constant in it: the first pass must not be taken for every pass."""
        for name in bound_names(body):
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
            self._count(target, _counted_from(_inner_iterable(written)))
        else:
            for name in target_names(target):
                self._bind_name(name, self.fresh(f"{self.frame.name}.{name}"))

    def _count(self, target: cst.BaseExpression, start: int) -> None:
        counter = self.fresh(f"{self.frame.name}.{last_name(target)}", counter=True)
        if start == 0:
            self.zero_based |= counter.names
        self.assign(target, counter)

    def _element(self, iterable: Value) -> Value | None:
        match iterable:
            case Params() | Grad():
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
            if sampler == NONE and "sampler" in kept:
                order = {"distributed": False, "shuffled": kept.get("shuffled")}
            facts = {name: fact if isinstance(fact := order.get(name), bool) else None for name in ("distributed", "shuffled")}
            begun.append(self.emit("iterate", [loader], node, facts, names))
            return NONE

        kept = self.kept.get(loader, {})
        self.each(kept.get("sampler", NONE), begin)  # type: ignore[arg-type]
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

        turn = Pass(node, self._over(generator.iter), self._function(), "", self._iterate(node, _inner_iterable(generator.iter)))
        self._loop(element, turn, once, each_object=isinstance(iterable, Params))
        return self._gathered(node, made[0])

    def _gathered(self, node: cst.BaseComp, element: Value) -> Value:
        """What a comprehension over values like this is worth."""
        if isinstance(element, Grad):
            return element
        if isinstance(element, Params):
            split = any("requires_grad" not in text(test.test) for test in node.for_in.ifs)
            return Params(element.models, element.whole and not split, split or element.grouped, element.open)
        return tensor_in(element) or (element if role_of(element) else self.fresh("list"))


def _is_constant(node: cst.BaseExpression, value: bool) -> bool:
    return isinstance(node, cst.Name) and node.value == str(value)


def _inner_iterable(node: cst.BaseExpression) -> cst.BaseExpression:
    """What is iterated, without tqdm, enumerate and their like."""
    while isinstance(node, cst.Call) and node.args and last_name(node.func) in kinds.ITERATORS:
        node = node.args[0].value
    return node


def _enumerated(node: cst.BaseExpression) -> int | None:
    """Where an enumeration starts, inside tqdm and its like; None where nothing is enumerated, 1 where it cannot be told."""
    while isinstance(node, cst.Call) and node.args:
        if last_name(node.func) == "enumerate":
            start = node.args[1].value if len(node.args) > 1 else None
            return 0 if start is None or _is_zero(start) else 1
        node = node.args[0].value
    return None


def _counts(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and last_name(node.func) in ("range", "trange", "count", "xrange")


def _counted_from(node: cst.BaseExpression) -> int:
    """Where `range` and its like start; 1 where it cannot be told."""
    assert isinstance(node, cst.Call)
    alone = len(node.args) < (1 if last_name(node.func) == "count" else 2)
    start = None if alone else node.args[0].value
    return 0 if start is None or _is_zero(start) else 1


def _is_zero(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Integer) and node.value == "0"


@lru_cache(maxsize=4096)
def bound_names(node: cst.CSTNode) -> set[str]:
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
            found |= set(target_names(target))
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
