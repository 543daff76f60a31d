"""What a model has to be trained when an optimizer has taken its parameters: new layers, and those that were frozen."""

from __future__ import annotations

import weakref
from collections.abc import Generator
from typing import Any

from torch import nn
from torch.nn.modules.module import register_module_module_registration_hook
from torch.optim import Optimizer

from loopcheck.loop import Role
from loopcheck.record import patch
from loopcheck.record.cast import Cast, parameters
from loopcheck.record.ledger import Ledger
from loopcheck.record.modules import Modules
from loopcheck.record.tape import Tape


class Attaching:
    """torch's own hook on what modules register; containers put their layers in the same way."""

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger, modules: Modules) -> None:
        self._tape = tape
        self._cast = cast
        self._ledger = ledger
        self._modules = modules
        self._frozen: dict[int, tuple[Role, weakref.ref[nn.Parameter]]] = {}

    def install(self) -> None:
        put = register_module_module_registration_hook(patch.guarded(self.put))
        patch.patches.later(put.remove)
        patch.wrap(Optimizer, "add_param_group", self.give)
        self._modules.on_forward.append(self._look)
        self._modules.on_optimizer.append(self._leave_out)

    def _leave_out(self, optimizer: Optimizer, role: Role, models: list[nn.Module]) -> None:
        """What an optimizer is not given of the models that it trains, and needs no gradient."""
        given = {id(each) for each in parameters(optimizer)}
        self._frozen = {
            number: left for number, left in self._frozen.items() if left[1]() is not None and id(left[1]()) not in given
        }
        for each in (each for model in models for each in nn.Module.parameters(model)):
            if not each.requires_grad and id(each) not in given:
                self._frozen[self._cast.number(each)] = role, weakref.ref(each)

    def _look(self) -> None:
        """Whether some of that needs one by now."""
        thawed = {
            number: role for number, (role, left) in self._frozen.items() if (each := left()) is not None and each.requires_grad
        }
        for role in dict.fromkeys(thawed.values()):
            self._tape.emit("thaw", role)
        for number in thawed:
            del self._frozen[number]

    def give(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Generator[patch.Call | None, Any, None]:
        """What it was not given before it may have now; the groups of its constructor are given before anybody knows it."""
        owners = [account.role for account in self._ledger.accounts() if account.optimizer is optimizer]
        yield None
        given = {id(each) for each in parameters(optimizer)}
        self._frozen = {number: left for number, left in self._frozen.items() if id(left[1]()) not in given}
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
