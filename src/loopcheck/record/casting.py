"""Models whose weights become numbers of another type."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import torch
from torch import nn

from loopcheck.record.cast import Cast
from loopcheck.record.patch import Call, wrap
from loopcheck.record.tape import Tape


class Casting:
    """Hooks on the methods of modules that may change the type of their parameters."""

    def __init__(self, tape: Tape, cast: Cast) -> None:
        self._tape = tape
        self._cast = cast

    def install(self) -> None:
        for name in ("to", "type", "half", "float", "double", "bfloat16"):
            wrap(nn.Module, name, self.change)

    def change(self, module: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        before = _type(module)
        yield None
        after = _type(module)
        model = self._cast.model(module) if after != before else None
        if model:
            self._tape.emit("cast", model.role, to=str(after).removeprefix("torch."))


def _type(module: nn.Module) -> torch.dtype | None:
    return next((each.dtype for each in nn.Module.parameters(module)), None)
