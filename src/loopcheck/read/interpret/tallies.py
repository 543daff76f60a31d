"""What the batches of an evaluation come to, added up or handed to a meter, each batch alike whatever its size."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from loopcheck.loop import Event, Fact, Role
from loopcheck.read.domain import counts
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.parts import leaves_of, term_of
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import NONE, Const, Object, Symbol, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.passes import holds_out, learn
from loopcheck.read.vocabulary import sums_over_samples
from loopcheck.words import LOSSES, MEANS, SIZES, words


def tallied(m: Machine, target: ir.Expression, added: ir.Expression, value: Value) -> None:
    """`total += loss.item()`, `losses.append(loss)`, `losses[i] = loss` in a pass over held-out data."""
    turn = _evaluation(m)
    if turn is not None and _is_mean(m, added, value):
        event = _told(m, turn, target, added)
        m.state.tallies[(m.state.frame, m.code(target))] = turn, event


def divided(m: Machine, total: ir.Expression, by: ir.Expression, value: Value) -> None:
    """`total / len(loader)`: what was added up is divided by the number of batches.

    value: what `by` is worth.
    """
    found = _tally(m, total)
    if found and (_counts_batches(found[0], by, value) or _is_length_of(m, total, by)):
        learn(found[1], "alike", True)


def averaged(m: Machine, node: ir.Call) -> None:
    """`np.mean(losses)`, `torch.stack(losses).mean()`: the mean of what was listed."""
    if _called(node) in MEANS:
        given = node.arguments[0].value if node.arguments else None
        inner = node.function.base if isinstance(node.function, ir.Attribute) and given is None else given
        found = None if inner is None else _tally(m, inner)
        if found:
            learn(found[1], "alike", True)


def updates(node: ir.Call) -> bool:
    """Whether a call may hand something to a meter."""
    return isinstance(node.function, ir.Attribute) and node.function.name == "update"


def metered(m: Machine, node: ir.Call) -> None:
    """`meter.update(loss.item())` beside `meter.update(accuracy, n=len(x))`: it could be told the size, and is not."""
    match node:
        case ir.Call(function=ir.Attribute(base=meter), arguments=(ir.Argument(star="", keyword=keyword, value=given),)):
            turn = _evaluation(m)
            named = not keyword or not words(keyword).isdisjoint(LOSSES)
            if turn is not None and named and _is_mean(m, given, NONE) and _weighs(turn):
                learn(_told(m, turn, meter, given), "alike", True)


def _evaluation(m: Machine) -> Pass | None:
    """The pass around, where it is one over held-out data whose batches are counted in this very code."""
    passes = m.state.here.passes
    if not passes or not passes[-1].iterates or not holds_out(passes[-1], passes[:-1]):
        return None
    here = m.state.frame.source.path, m.active[-1].code if m.active else None
    summed = sums_over_samples(m.state.frame.source.index.given)  # any loss of the file may be the one that is added up
    return passes[-1] if passes[-1].function == here and not summed else None


def _told(m: Machine, turn: Pass, target: ir.Expression, added: ir.Expression) -> Event:
    known = {m.state.kept.get(role, {}).get("ragged", "possible") for event in turn.iterates for role in event.on}
    ragged = known.pop() if len(known) == 1 else None
    facts: dict[str, Fact | None] = {"ragged": ragged if isinstance(ragged, (str, bool)) else None}
    event = m.state.emit("tally", [Role("meter", m.code(target))], added, facts)
    turn.tallied.append(event)
    return event


def _is_mean(m: Machine, node: ir.Expression, value: Value) -> bool:
    """A loss of a batch as it is, by its name; of what was multiplied by something that may be the batch's size, nobody knows.

    value: what it is worth, if that is what a call returned.
    """
    root = _root(node)
    if isinstance(root, (ir.Name, ir.Attribute)):
        value = m.evaluate(root)
    elif not isinstance(root, ir.Call):
        return False
    called = _called(root)
    said = (called, m.state.frame.written.get(called, "").partition("(")[0])
    return any(words(each) & LOSSES for each in said) and all(map(_unweighted, leaves_of(value)))


def _unweighted(value: Value) -> bool:
    match value:
        case Tensor(history=history):
            return not any(made.how in ("shared", "total", "summed") for made in history)
        case Symbol(term):
            return term.head not in _COMPUTED
        case _:
            return not isinstance(value, Const)


_COMPUTED = frozenset({"+", "-", "*", "/", "//", "%", "**"})


def _called(node: ir.Expression) -> str:
    """`loss` of `outputs.loss`, `criterion` of `self.criterion(y, t)`; of what has no name, nothing."""
    while isinstance(node, ir.Call):
        node = node.function
    return node.name if isinstance(node, (ir.Name, ir.Attribute)) else ""


def _root(node: ir.Expression) -> ir.Expression:
    """What is left of `float(loss.detach().cpu().item())`: the loss."""
    while True:
        match node:
            case ir.Call(function=ir.Attribute(base=base, name=name), arguments=()) if name in _SAME:
                node = base
            case ir.Call(function=function, arguments=(ir.Argument(star="", value=inner), *_)) if _called(function) in _TAKEN:
                node = inner
            case ir.Attribute(base=base, name="data"):
                node = base
            case _:
                return node


_SAME = frozenset({"clone", "cpu", "detach", "double", "float", "item", "mean", "numpy", "tolist"})
"""Methods of a loss, or of losses, that hand out numbers."""
_TAKEN = frozenset({"array", "asarray", "as_tensor", "float", "FloatTensor", "stack", "sum", "Tensor", "tensor"})
"""Functions that do."""


def _tally(m: Machine, node: ir.Expression) -> tuple[Pass, Event] | None:
    """What was added up in a pass that is over, by how it is written."""
    found = m.state.tallies.get((m.state.frame, m.code(_root(node)))) if m.state.tallies else None
    return None if found is None or found[0] in m.state.here.passes else found


def _is_length_of(m: Machine, total: ir.Expression, by: ir.Expression) -> bool:
    """`sum(losses) / len(losses)`."""
    match by:
        case ir.Call(function=ir.Name(name="len"), arguments=(ir.Argument(value=given),)):
            return m.code(given) == m.code(_root(total))
        case _:
            return False


def _counts_batches(turn: Pass, by: ir.Expression, value: Value) -> bool:
    """Whether a number is that of the batches of a pass: the length of its loader, or what was counted up in it."""
    counted = isinstance(by, ir.Name) and isinstance(turn.node, ir.For) and by.name in _counters(turn.node.body)
    return counted or any(_is_number_of(turn, each) for each in _least(term_of(value)))


@lru_cache(maxsize=1024)
def _counters(body: ir.Block) -> frozenset[str]:
    """The variables that go on by one with every pass."""
    found = set[str]()
    for each in body:
        match each:
            case ir.Augment(operator="+", target=ir.Name(name=name), value=ir.Literal(value=1)):
                found.add(name)
    return frozenset(found)


def _least(term: Term) -> Iterator[Term]:
    """The numbers of which one is taken: `max(1, len(loader))`."""
    match term.head, term.operands:
        case "call", ("builtins.max" | "builtins.min" | "builtins.float", Term(head="items", operands=given)):
            yield from (inner for each in given if isinstance(each, Term) for inner in _least(each))
        case _:
            yield term


def _is_number_of(turn: Pass, term: Term) -> bool:
    base, added = counts.offset(term)
    last = turn.count is not None and base is turn.count and turn.start is not None and turn.start + added == 1
    loaders = [term_of(Object(role)) for event in turn.iterates for role in event.on]
    own = any(term == Term("call", "builtins.len", Term("items", loader)) for loader in loaders)
    return last or own or counts.of_batches(term)


def _weighs(turn: Pass) -> bool:
    """Whether meters of this pass are told elsewhere how many samples a number is of."""
    return isinstance(turn.node, ir.For) and _told_sizes(turn.node.body)


@lru_cache(maxsize=1024)
def _told_sizes(body: ir.Block) -> bool:
    calls = [each for each in ir.walk(*body) if isinstance(each, ir.Call) and updates(each)]
    return any(
        sum(not arg.keyword and not arg.star for arg in each.arguments) == 2
        or any(arg.keyword and words(arg.keyword) & SIZES for arg in each.arguments)
        for each in calls
    )
