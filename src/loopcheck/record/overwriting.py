"""Weights that are written through `.data`, past autograd, which counts who writes to what it has kept for a backward."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling

from loopcheck.record import patch
from loopcheck.record.cast import Cast
from loopcheck.record.gradients import Gradients
from loopcheck.record.modules import Modules
from loopcheck.record.patch import Call, wrap
from loopcheck.record.site import Site
from loopcheck.record.tape import Tape

MOST_HANDED = 10_000
"""Tensors that are kept until a model is applied or a loss backpropagated; those of more are looked at as they are."""


class Overwriting:
    """A property in the place of torch's own. What it hands out counts who writes to it, and is looked at when next a model is
    applied or a loss backpropagated."""

    def __init__(self, tape: Tape, cast: Cast, modules: Modules, gradients: Gradients) -> None:
        self._tape = tape
        self._cast = cast
        self._modules = modules
        self._gradients = gradients
        self._handed: list[tuple[Tensor, int, Site]] = []

    def install(self) -> None:
        inherited: Any = vars(torch._C.TensorBase)["data"]
        own = patch.patches

        def get(tensor: Tensor) -> Any:
            data = inherited.__get__(tensor)
            if isinstance(tensor, nn.Parameter) and own.live and not is_compiling() and self._tape.sites.calls():
                if len(self._handed) >= MOST_HANDED:
                    self._look()
                self._handed.append((data, self._cast.number(tensor), self._tape.sites.here()))
            return data

        def put(tensor: Tensor, value: Any) -> None:
            if isinstance(tensor, nn.Parameter) and own.live and not is_compiling() and self._tape.sites.calls():
                self._tell(self._cast.number(tensor), self._tape.sites.here())
            inherited.__set__(tensor, value)

        patch.patches.put(torch.Tensor, "data", property(patch.unseen(get), patch.unseen(put)))
        wrap(torch.Tensor, "backward", self.backward)
        wrap(torch.autograd, "backward", self.backward)
        self._modules.on_forward.append(self._look)

    def backward(self, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._look()
        yield None

    def _look(self) -> None:
        handed, self._handed = self._handed, []
        for data, number, at in handed:
            if data._version:
                self._tell(number, at)

    def _tell(self, number: int, at: Site) -> None:
        self._gradients.touched[self._tape.emit_at(at, "overwrite").event] = frozenset({number})
