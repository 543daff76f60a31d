"""Optimizers: made, and stepped."""

from __future__ import annotations

import inspect
from collections.abc import Generator
from typing import Any

from torch import nn
from torch.nn.parameter import is_lazy
from torch.optim import SGD, Adam, Optimizer
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from loopcheck.loop import Fact
from loopcheck.record import patch
from loopcheck.record.cast import Cast, bare, parameters
from loopcheck.record.ledger import Ledger
from loopcheck.record.modules import Modules
from loopcheck.record.patch import Around, Call, wrap_family
from loopcheck.record.tape import Tape
from loopcheck.record.watch import Watch
from loopcheck.words import means_penalty


class Optimizers:
    """The constructors of all optimizers, and torch's own hooks on their steps."""

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger, modules: Modules, watch: Watch) -> None:
        self._tape = tape
        self._cast = cast
        self._ledger = ledger
        self._modules = modules
        self._watch = watch
        self._decay: str | None = None
        self._making = False

    def install(self) -> None:
        wrap_family(Optimizer, "__init__", self._making_one)
        before = register_optimizer_step_pre_hook(patch.guarded(self.before_step))
        after = register_optimizer_step_post_hook(patch.guarded(self.after_step))
        patch.patches.later(before.remove)
        patch.patches.later(after.remove)

    def _making_one(self, original: Any) -> Around:
        signature = inspect.signature(original)

        def around(optimizer: Optimizer, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
            outermost, self._making = not self._making, True
            if outermost:
                self._decay = None
            if self._decay is None and "weight_decay" in signature.parameters:
                self._decay = _origin(signature, (optimizer, *args), kwargs)
            try:
                yield None
            finally:
                self._making = not outermost
            if outermost and bare(optimizer) is optimizer:
                self._made(optimizer)

        return around

    def _made(self, optimizer: Optimizer) -> None:
        models = self._cast.models_around(optimizer)
        for module in models:
            self._modules.meet(module)
        facts: dict[str, Fact] = {"decay": self._decay} if self._decay else {}
        decays = {group.get("weight_decay", 0) for group in optimizer.param_groups}
        dims = {each.dim() for each in parameters(optimizer) if not is_lazy(each)}
        if not any(_is_part(optimizer, module) for module in models):
            facts["one_group"] = len(decays) == 1 and 1 in dims and max(dims) > 1
        if not self._tape.sites.defines(type(optimizer)):  # one of the user's own may decay what it likes
            facts["decays"] = any(float(decay) != 0 for decay in decays)
        decoupled = type(optimizer) is Adam and optimizer.defaults.get("decoupled_weight_decay")
        facts["family"] = "adamw" if decoupled else type(optimizer).__name__.lower()
        if type(optimizer) is SGD and not any(group["momentum"] for group in optimizer.param_groups):
            facts["anew"] = False
        at = self._tape.sites.here(making=optimizer)
        facts["penalty"] = means_penalty(at.text)
        role = self._ledger.open(optimizer).role
        self._tape.emit_at(at, "build", role, **facts)
        for look in self._modules.on_optimizer:
            look(optimizer, role, models)
        self._watch.make(optimizer, at)

    def before_step(self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        account = self._ledger.open(optimizer)
        self._ledger.audit()
        if not _closure(args, kwargs):
            frozen = self._cast.frozen(optimizer)
            begun = self._tape.emit("step", account.role, scaled=False, closure=False, frozen=frozen)
            account.at = begun.at
            if self._tape.sites.defines(type(optimizer)):
                self._tape.under_way.append(begun)
        self._watch.before_step(optimizer)

    def after_step(self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        account = self._ledger.open(optimizer)
        closure = _closure(args, kwargs)
        self._tape.under_way = [each for each in self._tape.under_way if account.role not in each.event.on]
        if closure:  # the weights have changed only now, after all that the closure did
            frozen = self._cast.frozen(optimizer)
            account.at = self._tape.emit("step", account.role, scaled=False, closure=True, frozen=frozen).at
        account.steps += 1
        self._watch.after_step(optimizer, account.role.name, len(account.pending), closure, account.at)
        account.step()


def _is_part(optimizer: Optimizer, module: nn.Module) -> bool:
    """The optimizer has one submodule of the module, a head say, and nothing of the rest."""
    own = {id(each) for each in parameters(optimizer)}
    inside = [{id(each) for each in nn.Module.parameters(child)} for child in module.children()]
    return any(own <= child for child in inside) and not own >= {id(each) for each in nn.Module.parameters(module)}


def _closure(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    given = args[1] if len(args) > 1 else kwargs.get("closure")
    return given is not None


def _origin(signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
    """Who says how much weight decay there is: the program or the class."""
    try:
        given = signature.bind(*args, **kwargs).arguments
    except TypeError:
        return None  # the constructor will say what is wrong
    params = given.get("params")
    groups = params if isinstance(params, (list, tuple)) else ()
    by_group = any(isinstance(group, dict) and "weight_decay" in group for group in groups)
    return "explicit" if by_group or "weight_decay" in given else "default"
