"""Activations that take probabilities for logits, where somebody computes a loss of their logarithms by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from loopcheck.api import ACTIVATIONS, REARRANGES, RESIZES
from loopcheck.loop import Event
from loopcheck.read.domain.choices import Activation, put_through
from loopcheck.read.domain.state import State
from loopcheck.read.domain.values import Object, Tensor, Value
from loopcheck.read.front import ir
from loopcheck.read.interpret.machine import Machine
from loopcheck.read.objects.passes import settle
from loopcheck.words import repeats

WITH_LOGITS: Mapping[str, str] = {"sigmoid": "binary_cross_entropy_with_logits", "softmax": "cross_entropy"}
"""The losses that an activation and a logarithm make, each by that."""


def as_before(name: str, given: Value | None, made: Value) -> Value:
    """What a function makes of values that it rearranges, or takes means of: these were put through what they were before."""
    if name.rpartition(".")[2] not in REARRANGES | RESIZES or not isinstance(made, Tensor) or not isinstance(given, Tensor):
        return made
    return replace(made, activation=given.activation) if given.activation in ACTIVATIONS else made


def activated(m: Machine, node: ir.Place, layer: Object, given: Tensor, made: Tensor) -> Tensor:
    """What a layer without parameters makes of a tensor, `self.softmax(x)`, with what that was put through last."""
    if layer.facts.get("rearranges"):
        return replace(made, activation=given.activation) if given.activation in ACTIVATIONS else made
    how = layer.activation
    if how not in ACTIVATIONS:
        return made
    again = put_through(given.activation, how, m.state.site(node))
    done = replace(made, activation=again if again.twice else how)
    return of_probabilities(m, node, done) if how.startswith("log") else done


def of_their_logarithms(m: Machine, node: ir.Place, tensor: Tensor, given: Value) -> Tensor:
    """A tensor of which a loss that computes the logarithms of probabilities is made, marked where it was put through two
    activations. given: what the loss is given first."""
    if not isinstance(given, Tensor) or given.models != tensor.models:
        return tensor
    return of_probabilities(m, node, replace(tensor, activation=given.activation)).used


def of_probabilities(m: Machine, node: ir.Place, logged: Tensor) -> Tensor:
    """The logarithm of what was put through an activation twice, marked: where that goes backward, it is told of the second."""
    how = logged.activation
    if not isinstance(how, Activation) or how.twice is None or logged.open or not logged.models:
        return logged
    if any(repeats(each.code.name) for each in m.active):
        return logged
    before, site = how.twice
    origins = ((str(before), before.site),) if before.site else ()
    event = m.state.emit("criterion", logged.models, node, {"loss": "", "given": str(before)}, origins=origins)
    event.at = site
    m.state.logged.append(event)
    return replace(logged.made("logged", written=str(len(m.state.logged) - 1)), activation=how)


def taken_for_logits(state: State, tensor: Tensor) -> None:
    """A loss goes backward: the activations whose logarithms it was computed of are part of a loss that takes logits."""
    for made in tensor.history:
        if made.how == "logged":
            event: Event = state.logged[int(made.written)]
            settle(event, "loss", WITH_LOGITS[str(event.facts["given"])])
