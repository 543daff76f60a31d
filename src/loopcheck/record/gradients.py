"""Gradients: added by backward, cleared, clipped."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence, Set
from functools import partial
from types import GeneratorType
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from loopcheck.api import CLIP_LIMITS, CLIPS
from loopcheck.loop import Event, Fact, Role
from loopcheck.record import graph
from loopcheck.record.cast import Cast, Model, holding
from loopcheck.record.ledger import Ledger
from loopcheck.record.modules import Modules
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Site
from loopcheck.record.tape import Moment, Tape
from loopcheck.record.watch import Watch


class Gradients:
    """Hooks on backward, zero_grad and the clip functions. scaled: each output of a GradScaler, with its role.

    touched: the parameters that an event was about, by number.
    """

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger, modules: Modules, watch: Watch) -> None:
        self._tape = tape
        self._cast = cast
        self._ledger = ledger
        self._modules = modules
        self._watch = watch
        self.touched: dict[Event, frozenset[int]] = {}
        self._same: dict[frozenset[int], frozenset[int]] = {}
        self._single: dict[Site, tuple[Moment, Tensor, float]] = {}
        self.scaled: dict[graph.Key, Role] = {}

    def install(self) -> None:
        wrap(torch.Tensor, "backward", self.backward)
        wrap(torch.autograd, "backward", self.backward)
        wrap(torch.autograd, "grad", self.differentiate)
        wrap(Optimizer, "zero_grad", self.zero_optimizer)
        wrap(nn.Module, "zero_grad", self.zero_module)
        for module in (nn.utils, nn.utils.clip_grad):
            for name, by in CLIPS.items():
                if name in vars(module):
                    wrap(module, name, partial(self.clip, by))

    def backward(self, losses: Any = None, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        if self._modules.busy:
            yield None
            return
        self._single.clear()
        loss = list(graph.tensors(kwargs.get("tensors") if losses is None else losses))
        self._ledger.audit()
        accounts = self._ledger.accounts()
        scalers = {self.scaled[key] for each in loss if (key := graph.scaling(each, self.scaled))}
        behind = self._modules.behind(loss)
        taken = self._tape.emit("backward", *scalers, *behind, scaled=bool(scalers), **self._facts(loss))
        if any(self._modules.synced.get(role) for role in behind):
            taken.facts["synced"] = True
        if not any(each.requires_grad for each in loss):
            self._cut(taken)  # and now it raises
        optimizers = [account.optimizer for account in accounts if account.optimizer]
        self._watch.before_backward(optimizers)
        with self._modules.occupied():  # what checkpointing computes once more is no forward of the program's
            yield None
        changed: set[int] = set()
        for account in accounts:
            grown = account.grown()
            if grown:
                changed |= {self._cast.number(each) for each in grown}
                account.pending.append(taken.facts)
        if changed or behind:
            taken.facts["cut"] = False
        elif all(each.is_leaf and not isinstance(each, nn.Parameter) for each in loss):
            self._cut(taken)
        self._modules.turn()
        self._touch(taken.event, changed)
        self._watch.after_backward(optimizers, loss, len(self._modules.alive()), taken.at)

    def differentiate(self, outputs: Any = None, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        """`autograd.grad` adds to no gradient, yet what it is asked about was computed to be differentiated."""
        if self._modules.busy:
            self._modules.differentiates = True
        else:
            self._modules.behind(list(graph.tensors(kwargs.get("outputs") if outputs is None else outputs)))
        yield None

    def zero_optimizer(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        account = self._ledger.open(optimizer)
        self._tape.emit("zero_grad", account.role)
        with self._tape.hush():
            yield None
        account.clear()

    def zero_module(self, module: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        model = self._cast.model(module)
        if model:
            self._tape.emit("zero_grad", model.role)
        with self._tape.hush():
            yield None
        for account in self._ledger.accounts():
            if account.grown() and account.empty():
                account.clear()

    def clip(self, by: str | None, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        given = args[0] if args else kwargs.get("parameters", ())
        limit = args[1] if len(args) > 1 else next((kwargs[each] for each in CLIP_LIMITS if each in kwargs), math.inf)
        params, same = _listed(given)
        self._ledger.audit()
        managed = not self._tape.sites.direct()
        spent = isinstance(given, Iterator) and not params
        taken = self._tape.emit("clip", limits=math.isfinite(limit), managed=managed, spent=spent, **({"by": by} if by else {}))
        self._touch(taken.event, {self._cast.number(each) for each in params})
        self._each(taken, params, float(limit))
        if spent:  # whose they were cannot be seen any more
            taken.event.on = tuple(account.role for account in self._ledger.accounts())
        self._watch.clip(params, float(limit), taken.at)
        with self._tape.hush():
            yield ((same, *args[1:]), kwargs) if args else ((), {**kwargs, "parameters": same})
        for account in self._ledger.accounts():
            account.mark()

    def _each(self, taken: Moment, params: list[Tensor], limit: float) -> None:
        """The same call limits one parameter, and then another, of the same gradients, and as much."""
        before = self._single.get(taken.at) if len(params) == 1 else None
        if before and before[1] is not params[0] and before[2] == limit:
            before[0].facts["each"] = taken.facts["each"] = True
        if len(params) == 1:
            self._single[taken.at] = taken, params[0], limit

    def _facts(self, loss: list[Tensor]) -> dict[str, Fact]:
        told = {graph.averaged(each, self.scaled) for each in loss}
        averaged = told.pop() if len(told) == 1 else None
        managed = not self._tape.sites.direct()
        twice = managed and any(graph.divided_twice(each) for each in loss)
        facts: dict[str, Fact] = {"managed": managed, "averaged_twice": twice}
        return facts if averaged is None else {**facts, "averaged": averaged}

    def _cut(self, taken: Moment) -> None:
        """Nothing is behind the loss; the models that it was computed from are told by their being left over."""
        taken.facts["cut"] = True
        taken.event.on = (*taken.event.on, *self._modules.lost())

    def _touch(self, event: Event, numbers: set[int]) -> None:
        frozen = frozenset(numbers)
        self.touched[event] = self._same.setdefault(frozen, frozen)


def _listed(given: Any) -> tuple[list[Tensor], Any]:
    """The parameters handed to a clip, and what to hand on: a generator stays one, used up it still makes torch warn."""
    if isinstance(given, Tensor):
        return [given], given
    params = list(given)
    if isinstance(given, GeneratorType):
        return params, (each for each in params)
    return params, params if hasattr(given, "__next__") else given


def settle(touched: Mapping[Event, Set[int]], models: Sequence[Model], owned: Mapping[Role, Set[int]]) -> None:
    """Say what each event happened to, now that it is known who holds which parameters. touched: those that it changed."""
    for event, numbers in touched.items():
        optimizers = [role for role, held in owned.items() if held & numbers]
        event.on = tuple(dict.fromkeys((*optimizers, *holding(models, numbers), *event.on)))
