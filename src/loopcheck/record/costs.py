"""What costs time or memory and changes no number."""

from __future__ import annotations

import linecache
from collections.abc import Generator
from typing import Any

import torch
from torch import nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader, IterableDataset

from loopcheck.record.cast import Cast
from loopcheck.record.ledger import Ledger
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Site
from loopcheck.record.tape import Moment, Tape
from loopcheck.said.gpu import computes_on_gpu


class Costs:
    """Hooks on what has a cheaper way. What only a GPU makes dear is told where the program names one."""

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger) -> None:
        self._tape = tape
        self._cast = cast
        self._ledger = ledger
        self._emptied: dict[Site, tuple[Moment, int]] = {}

    def install(self) -> None:
        wrap(Optimizer, "zero_grad", self.zero_optimizer)
        wrap(nn.Module, "zero_grad", self.zero_module)
        wrap(torch.cuda, "empty_cache", self.empty)
        wrap(DataLoader, "__init__", self.load)

    def zero_optimizer(self, optimizer: Optimizer, set_to_none: bool = True) -> Generator[Call | None, Any, None]:
        yield None
        if not set_to_none:
            self._tape.emit("keep", self._ledger.open(optimizer).role)

    def zero_module(self, module: nn.Module, set_to_none: bool = True) -> Generator[Call | None, Any, None]:
        yield None
        model = None if set_to_none else self._cast.model(module)
        if model:
            self._tape.emit("keep", model.role)

    def empty(self) -> Generator[Call | None, Any, None]:
        yield None
        accounts = self._ledger.accounts()
        if accounts:
            taken = self._tape.emit("trim", *(account.role for account in accounts), each=False)
            before = self._emptied.get(taken.at)
            steps = sum(account.steps for account in accounts)
            if before and before[0].passes == taken.passes and taken.passes and steps == before[1] + 1:
                before[0].facts["each"] = taken.facts["each"] = True
            self._emptied[taken.at] = taken, steps

    def load(self, loader: DataLoader[Any], *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        yield None
        data = loader.dataset
        ours = self._tape.sites.defines(type(data)) and not isinstance(data, IterableDataset)
        if loader.num_workers == 0 and ours and self._for_gpu():
            at = self._tape.sites.here(making=loader)
            self._tape.emit_at(at, "serve", self._cast.role("loader", loader))

    def _for_gpu(self) -> bool:
        files = {frame.f_code.co_filename for frame in self._tape.sites.frames()}
        return any(computes_on_gpu("".join(linecache.getlines(file))) for file in files)
