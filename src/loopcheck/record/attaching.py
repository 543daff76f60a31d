"""Layers that a model gets when an optimizer has taken its parameters."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from torch import nn
from torch.nn.modules.module import register_module_module_registration_hook
from torch.optim import Optimizer

from loopcheck.record import patch
from loopcheck.record.cast import Cast
from loopcheck.record.ledger import Ledger
from loopcheck.record.tape import Tape


class Attaching:
    """torch's own hook on what modules register; containers put their layers in the same way."""

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger) -> None:
        self._tape = tape
        self._cast = cast
        self._ledger = ledger

    def install(self) -> None:
        put = register_module_module_registration_hook(patch.guarded(self.put))
        patch.patches.later(put.remove)
        patch.wrap(Optimizer, "add_param_group", self.give)

    def give(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Generator[patch.Call | None, Any, None]:
        """What it was not given before it may have now; the groups of its constructor are given before anybody knows it."""
        owners = [account.role for account in self._ledger.accounts() if account.optimizer is optimizer]
        yield None
        if owners:
            self._tape.emit("escape", *owners)

    def put(self, owner: nn.Module, name: str, layer: nn.Module | None) -> None:
        accounts = self._ledger.accounts()
        if layer is None or not accounts:
            return
        old, new = ({self._cast.number(each) for each in nn.Module.parameters(one)} for one in (owner, layer))
        taken = [({self._cast.number(each) for each in account.parameters}, account.role) for account in accounts]
        owners = [role for own, role in taken if old and old <= own]
        if new and new.isdisjoint(old) and owners:
            self._tape.emit("attach", *owners)
