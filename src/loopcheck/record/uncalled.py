"""Methods that a statement names and does not call: seen where the name is looked up, and nothing is done with it."""

from __future__ import annotations

import dis
import sys
from functools import cache
from itertools import pairwise
from types import CodeType
from typing import Any

import torch
from torch import nn
from torch.amp.grad_scaler import GradScaler
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler

from loopcheck.api import CALLED
from loopcheck.loop import Role
from loopcheck.record import patch
from loopcheck.record.cast import Cast
from loopcheck.record.ledger import Ledger
from loopcheck.record.modules import Modules
from loopcheck.record.tape import Tape


class Uncalled:
    """Looks who asks for a method. What torch puts on objects themselves hides a class's own, so those are asked first; of
    tensors and modules, which are asked for much, it is the method alone that tells.
    """

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger, modules: Modules) -> None:
        self._tape = tape
        self._cast = cast
        self._ledger = ledger
        self._modules = modules
        self._patches = patch.patches

    def install(self) -> None:
        for owner in (Optimizer, LRScheduler, GradScaler):
            patch.patches.put(owner, "__getattribute__", patch.unseen(self._looking_up(vars(owner).get("__getattribute__"))))
        for kind in (nn.Module, torch.Tensor):
            for name in CALLED & vars(kind).keys():
                patch.patches.put(kind, name, _Method(vars(kind)[name], self._named))

    def _looking_up(self, original: Any) -> Any:
        look_up = original or object.__getattribute__

        def asked(thing: Any, name: str) -> Any:
            if name in CALLED:
                self._named(thing, name)
            return look_up(thing, name)

        return asked

    def _named(self, thing: Any, name: str) -> None:
        if not self._patches.live or torch.compiler.is_compiling():
            return
        frame = sys._getframe(2)
        if self._tape.hushed or frame.f_lasti not in _dropped(frame.f_code) or not self._tape.sites.direct():
            return
        self._tape.emit("mention", Role("method", name))
        self._tape.emit("escape", *self._whose(thing))

    def _whose(self, thing: Any) -> tuple[Role, ...]:
        if isinstance(thing, Optimizer):
            return (self._ledger.open(thing).role,)
        if isinstance(thing, torch.Tensor):
            return self._modules.of(thing)
        if isinstance(thing, nn.Module):
            model = self._modules.meet(thing)
            return (model.role,) if model else ()
        kind = "scaler" if isinstance(thing, GradScaler) else "scheduler"
        return (self._cast.role(kind, thing),)


class _Method:
    """A method in its class, as a function is, which tells when it is looked up."""

    def __init__(self, function: Any, tell: Any) -> None:
        self._function = function
        self._tell = tell

    def __get__(self, thing: Any, owner: type[Any]) -> Any:
        if thing is not None:
            self._tell(thing, self._function.__name__)
        return self._function.__get__(thing, owner)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


@cache
def _dropped(code: CodeType) -> frozenset[int]:
    """Where in a function an attribute is looked up that the next instruction throws away."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "NOP")]
    return frozenset(one.offset for one, after in pairwise(steps) if (one.opname, after.opname) == ("LOAD_ATTR", "POP_TOP"))
