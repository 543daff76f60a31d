"""Losses that are added to what outlives their pass, and keep the graph that they were computed by."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import replace
from functools import lru_cache
from typing import cast

from loopcheck.api import is_tensor_class
from loopcheck.loop import Fact
from loopcheck.read.domain.graphs import data_of
from loopcheck.read.domain.here import Pass
from loopcheck.read.domain.state import State
from loopcheck.read.domain.terms import Term
from loopcheck.read.domain.values import Function, Instance, Items, Made, Symbol, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.front.bound import bound_by
from loopcheck.read.interpret.listing import adds_output, bound_to, lists_output
from loopcheck.read.interpret.logits import taken_for_logits
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.interpret.outliving import innermost, is_taken_from, outlives, written
from loopcheck.read.objects.evidence import made_by_itself
from loopcheck.read.objects.passes import over_models, settle
from loopcheck.words import LOSSES, ONE_BATCH, is_class_name, words


def summed(m: Machine, target: ir.Expression, added: ir.Expression, before: Value, value: Value, total: Value) -> Value:
    """What `target += added` comes to, after the event that it may be.

    before: what the target was worth. value: what is added. total: the sum.
    """
    if isinstance(value, Items) and isinstance(added, ir.Sequence) and len(added.elements) == len(value.values):
        for element, each in zip(added.elements, value.values, strict=True):  # `losses += [loss]`
            _kept(m, target, element, each, each)
        return total
    if m.state.records is False:  # what had no graph has none now
        return total.detached() if isinstance(total, Tensor) and not isinstance(before, Tensor) else total
    if m.state.records is None:
        return total
    older = isinstance(before, Symbol) or isinstance(target, (ir.Attribute, ir.Subscript))
    return _kept(m, target, added, value, total) if older and not _is_somebodys(m, before) else total


def _is_somebodys(m: Machine, before: Value) -> bool:
    """Whether a value was made by a class out of sight, of which only that knows what adding to it does."""
    match m.state.entered.get(before.term, before) if isinstance(before, Symbol) else before:
        case Symbol(Term(head="call", operands=(str(name), *_))):
            return is_class_name(name) and not is_tensor_class(name)
        case _:
            return False


def appended(m: Machine, target: ir.Expression, added: ir.Expression, value: Value) -> Value:
    """What `target.append(added)` puts into a list, after the event that it may be, whether autograd is on or off.

    What holds losses besides other things, `{"loss": loss, "rows": 8}`, keeps their graphs as they do.
    """
    if isinstance(value, Instance) and value.role is None:
        for name, each in list(m.state.heap.of(value).items()):
            if isinstance(name, str):
                _kept(m, target, added, each, each, name)
        return value
    if not isinstance(value, Items):
        return _kept(m, target, added, value, value, listed=True)
    names = value.keys or (added.elements if isinstance(added, ir.Sequence) else ())
    if len(names) != len(value.values):
        return value
    held = zip(names, value.values, strict=True)
    return replace(value, values=tuple(_kept(m, target, added, each, each, name, listed=True) for name, each in held))


def put_together(m: Machine, target: ir.Expression, added: ir.Expression, whole: Value) -> Value:
    """What `target = torch.cat((target, added))` comes to, after the event that it may be. whole: what it has put together."""
    if not isinstance(whole, Tensor):
        return whole
    plain = not any(isinstance(each, ir.Call) for each in ir.walk(added))
    value = m.evaluate(added) if plain else whole
    return _kept(m, target, added, value, whole, listed=True)


def filed(m: Machine, target: ir.Subscript, added: ir.Expression, value: Value) -> Value:
    """What `losses[i] = loss` comes to, after the event that it may be: each pass has a place of its own there."""
    turn = innermost(m)
    if (
        turn is None
        or m.state.records is not True
        or not _counts(target.index, turn.node)
        or not _is_filled(m.evaluate(target.base))
    ):
        return value
    return _kept(m, target, added, value, value)


def _is_filled(whole: Value) -> bool:
    """Whether a value is a list, a dictionary, or a tensor that was made to be written into, `torch.zeros(epochs)`."""
    match whole:
        case Items():
            return True
        case Symbol(term=Term(head="*", operands=(Term(head="items"), _))):
            return True
        case Symbol(term=term):
            return made_by_itself(term)
        case Tensor():
            return not whole.forwards or any(made.how == "kept" for made in whole.history)
        case _:
            return False


@lru_cache(maxsize=4096)
def _counts(index: ir.Expression | None, loop: ir.Place) -> bool:
    """Whether each pass of a loop has another value of an index, `i`, `(epoch, i)` or `f"{epoch}/{i}"`: the loop binds a variable
    of it, or that goes on by a step."""
    nodes = [*ir.walk(index)] if index is not None else []
    if not isinstance(loop, (ir.For, ir.While)) or not all(isinstance(each, _PLAIN) for each in nodes):
        return False
    bound = set(bound_by(loop)) if isinstance(loop, ir.For) else set[str]()
    bound |= {written(each.target) for each in ir.walk(*loop.body) if isinstance(each, ir.Augment)}
    return any(isinstance(each, ir.Name) and each.name in bound for each in nodes)


_PLAIN = (ir.Literal, ir.Name, ir.Sequence, ir.Text)
"""What an index is put together of that is another one wherever a part of it is."""


def backpropagated(tensor: Tensor, state: State) -> None:
    """A loss is differentiated: what was summed up in it was meant to be, and it has a graph."""
    for made in tensor.history:
        if made.how == "kept":
            cast(MutableMapping[str, Fact], state.retained[int(made.written)].facts)["learned"] = True
    taken_for_logits(state, tensor)
    for term in tensor.forwards:  # also of a pass that is over by now
        state.unread.pop(state.applied[term], None)
        facts = cast(MutableMapping[str, Fact], state.applied[term].facts)
        facts["validating"] = False
        facts.pop("read", None)
    state.taught |= tensor.models
    state.recording |= {state.methods[term] for term in tensor.forwards if term in state.methods}
    learned_from = {data_of(state, term) for term in tensor.forwards}
    state.taught_by |= learned_from
    for event, given in state.held_out.items():
        if given in learned_from:  # by its name alone it was held out: a network that adapts itself to what it is tested on
            settle(event, "validating", False)
    state.walked |= tensor.doubts | {(tensor.term, _hidden(made)) for made in tensor.history if made.how == "hidden"}
    if _is_entry(tensor):
        state.learned[tensor.term] = True
    for turn in state.here.passes:
        turn.retained += [event for doubts, event in turn.doubted if doubts <= state.walked and event not in turn.retained]


def let_go(state: State, tensor: Tensor) -> None:
    """A tensor loses its graph where it stands, `self.total.detach_()`: what was summed up in it is kept without."""
    kept = [state.retained[int(made.written)] for made in tensor.history if made.how == "kept"]
    for turn in state.here.passes if kept else ():
        turn.retained = [event for event in turn.retained if event not in kept]
        turn.listed = [(outputs, event) for outputs, event in turn.listed if event not in kept]
        turn.doubted = [(doubts, event) for doubts, event in turn.doubted if event not in kept]


def _kept(
    m: Machine,
    target: ir.Expression,
    added: ir.Expression,
    value: Value,
    total: Value,
    within: object = None,
    listed: bool = False,
) -> Value:
    """What is kept of a value, marked where it is a loss with its graph.

    within: what it is called in that which is added: a key, or how it is written. None where that is it. listed: a list gets it
    as it is, which may be an output as well: that has a graph where a backward goes through it.
    """
    if not isinstance(value, Tensor) or not isinstance(total, Tensor):
        return total
    if m.trials and value.term.head == "formal":
        m.state.shared()  # whose it is, the call site knows
    turn = innermost(m)
    if turn is None or not value.models or value.open or any(_unsure(m, value, made) for made in value.history):
        return total
    few = isinstance(turn.node, ir.For) and isinstance(turn.node.iterable, ir.Sequence)  # `for half in (real, fake):`
    few = few or over_models(turn, value.models)  # `for critic in critics:`, of one batch
    parts = few or _of_one_batch(m, target, turn) or any(around.iterates for around in m.state.here.passes[:-1])
    bare = within is None and _is_loss(m, added)
    whole = None if _is_entry(value) else m.state.learned.get(value.term)
    if whole is False:
        return total
    held = bool(whole) if within is None else _is_loss(m, within)  # what stands beside a loss may be detached
    put = within if isinstance(within, ir.Node) else added
    output = (
        not bare and not held and (lists_output(m, target, put, value, turn) if listed else adds_output(m, added, value, turn))
    )
    if parts or not (bare or held or output) or not outlives(m, target, turn) or is_taken_from(m, target, turn):
        return total
    event = m.state.emit("retain", value.models, added, {"bare": bare or (output and within is None)}, {"kept": m.code(target)})
    if output:
        turn.listed.append(([m.state.applied[each] for each in value.forwards], event))
    elif value.doubts <= m.state.walked:
        turn.retained.append(event)
    turn.doubted.append((value.doubts, event))
    m.state.retained.append(event)
    return total.made("kept", written=str(len(m.state.retained) - 1))


def _of_one_batch(m: Machine, target: ir.Expression, turn: Pass) -> bool:
    """Whether a loop that counts adds up the parts of one batch, as its function says: `training_step`, whoever calls that."""
    inside = m.active[-1].code.name if m.active else ""
    return isinstance(target, ir.Name) and not turn.iterates and bool(words(inside) & ONE_BATCH)


def _is_entry(tensor: Tensor) -> bool:
    """Whether it was taken out of a dictionary that a model put out, or computed of what was."""
    return any(made.how == "entry" for made in tensor.history)


def _unsure(m: Machine, value: Tensor, made: Made) -> bool:
    """Whether an operation leaves open if there is a graph: one that is out of sight does, unless a backward has gone by it."""
    return made.how == "kept" or (made.how == "hidden" and (value.term, _hidden(made)) not in m.state.walked)


def _hidden(made: Made) -> str:
    """What tells an operation that is out of sight from others: a backward goes by those before it, and by none that follows."""
    return f"hidden in {made.written}"


def _is_loss(m: Machine, called: object) -> bool:
    """Its names say that it is a loss, or those of what it stands for: other tensors that a model puts out may have no graph."""
    if isinstance(called, str):
        return bool(words(called) & LOSSES)
    nodes = [*ir.walk(called)] if isinstance(called, ir.Node) else []
    if isinstance(called, (ir.Name, ir.Call)) and _hands_back_loss(m, called):
        return True
    names = [
        each.name for each in nodes if isinstance(each, ir.Attribute) or (isinstance(each, ir.Name) and not _is_data(m, each))
    ]
    frame = m.state.frame
    stand_for = (frame.written.get(name, "") for name in names if name not in frame.parted)  # what comes with a loss is a number
    return any(words(text) & LOSSES for text in (*names, *stand_for))


def _is_data(m: Machine, name: ir.Name) -> bool:
    """Whether a name stands for a tensor without a graph: `val` in `val * n`, where `loss.item()` was given for it."""
    value = m.evaluate(name)
    return isinstance(value, Tensor) and not value.models


def _hands_back_loss(m: Machine, node: ir.Name | ir.Call) -> bool:
    """Whether a function of the project that is called hands back what it calls a loss, and nothing else."""
    if isinstance(node, ir.Name):
        loop = m.state.here.passes[-1].node if m.state.here.passes else None
        made = bound_to(node.name, loop) if isinstance(loop, (ir.For, ir.While)) else ()
        return bool(made) and all(isinstance(each, ir.Call) and _hands_back_loss(m, each) for each in made)
    called = m.evaluate(node.function) if isinstance(node.function, (ir.Name, ir.Attribute)) else None
    if not isinstance(called, Function):
        return False
    returns = [each.value for each in ir.walk(*called.code.body) if isinstance(each, ir.Return)]
    return bool(returns) and all(isinstance(each, ir.Name) and bool(words(each.name) & LOSSES) for each in returns)
