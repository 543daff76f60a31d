"""Losses of probabilities, and what they are given."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

import torch
from torch.nn import functional

from loopcheck.api import CRITERIA
from loopcheck.record import graph
from loopcheck.record.modules import Modules
from loopcheck.record.patch import Call, wrap
from loopcheck.record.tape import Tape


class Criteria:
    """Hooks on the losses of `torch.nn.functional`, which the classes call, too."""

    def __init__(self, tape: Tape, modules: Modules) -> None:
        self._tape = tape
        self._modules = modules

    def install(self) -> None:
        for name in CRITERIA:
            wrap(functional, name, partial(self.told, name))

    def told(self, loss: str, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        given = args[0] if args else kwargs.get("input")
        if isinstance(given, torch.Tensor) and (activation := graph.activation(given)):
            inside = self._modules.applied
            models = [inside] if inside else [] if self._modules.busy else self._modules.of(given)
            if models:
                each = kwargs.get("reduction") == "none"
                self._tape.emit("criterion", *models, loss=loss, given=activation, each=each)
        yield None
