"""Frameworks that take models and optimizers over. What they do underneath is torch's, and seen there."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from types import ModuleType
from typing import Any

from torch import nn
from torch.optim import Optimizer

from loopcheck.loop import Role
from loopcheck.record.cast import Cast
from loopcheck.record.patch import Call, when_imported, wrap
from loopcheck.record.tape import Tape

_TAKE_OVER = [
    ("accelerate", "accelerate.accelerator", "Accelerator", "prepare"),
    ("fabric", "lightning.fabric.fabric", "Fabric", "setup"),
    ("fabric", "lightning_fabric.fabric", "Fabric", "setup"),
]
"""Framework, module, class and method."""


class Frameworks:
    """Hooks on the methods that are given models and optimizers, put in place as the program imports them."""

    def __init__(self, tape: Tape, cast: Cast) -> None:
        self._tape = tape
        self._cast = cast

    def install(self) -> None:
        for framework, module, owner, method in _TAKE_OVER:
            when_imported(module, partial(self._hook, framework, owner, method))

    def _hook(self, framework: str, owner: str, method: str, module: ModuleType) -> None:
        wrap(getattr(module, owner), method, partial(self.prepare, framework))

    def prepare(self, framework: str, me: Any, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        roles = [role for given in (*args, *kwargs.values()) if (role := self._role(given))]
        if roles:
            self._tape.emit("prepare", *roles, framework=framework)
        with self._tape.hush():
            yield None

    def _role(self, given: object) -> Role | None:
        if isinstance(given, Optimizer):
            return self._cast.optimizer(given)
        model = self._cast.model(given) if isinstance(given, nn.Module) else None
        return model.role if model else None
