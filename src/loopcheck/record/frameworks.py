"""Frameworks that take models and optimizers over. What they do underneath is torch's, and seen there."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import partial
from types import ModuleType
from typing import Any

from torch import nn
from torch.optim import Optimizer

from loopcheck.loop import Role
from loopcheck.record.cast import Cast
from loopcheck.record.patch import Around, Call, when_imported, wrap
from loopcheck.record.tape import Tape

_PREPARING = [
    ("accelerate", "accelerate.accelerator", "Accelerator", "prepare"),
    ("fabric", "lightning.fabric.fabric", "Fabric", "setup"),
    ("fabric", "lightning_fabric.fabric", "Fabric", "setup"),
]
"""What is handed models and optimizers, and hands them back: framework, module, class, method."""

_TRAINING = [
    ("lightning", "lightning.pytorch.trainer.trainer", "Trainer", "fit"),
    ("lightning", "pytorch_lightning.trainer.trainer", "Trainer", "fit"),
]
"""What is handed a model that knows how it is trained, and trains it."""


class Frameworks:
    """Hooks on these methods, put in place as the program imports them."""

    def __init__(self, tape: Tape, cast: Cast) -> None:
        self._tape = tape
        self._cast = cast

    def install(self) -> None:
        for hook, methods in ((self.prepare, _PREPARING), (self.train, _TRAINING)):
            for framework, module, owner, method in methods:
                when_imported(module, partial(_wrap, owner, method, partial(hook, framework)))

    def prepare(self, framework: str, me: Any, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._take_over(framework, (*args, *kwargs.values()))
        with self._tape.hush():
            yield None

    def train(self, framework: str, me: Any, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        """By default the framework runs the backward; a model that does so itself is meant to ask for it."""
        given = (*args, *kwargs.values())
        self._take_over(framework, [each for each in given if not getattr(each, "automatic_optimization", True)])
        yield None

    def _take_over(self, framework: str, given: Iterable[object]) -> None:
        roles = [role for each in given if (role := self._role(each))]
        if roles:
            self._tape.emit("prepare", *roles, framework=framework)

    def _role(self, given: object) -> Role | None:
        if isinstance(given, Optimizer):
            return self._cast.optimizer(given)
        model = self._cast.model(given) if isinstance(given, nn.Module) else None
        return model.role if model else None


def _wrap(owner: str, method: str, hook: Around, module: ModuleType) -> None:
    wrap(getattr(module, owner), method, hook)
