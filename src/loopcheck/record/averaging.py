"""Averages of a model's weights, and the statistics of their batch norms, which take more than averaging."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.optim import swa_utils

from loopcheck.record.modules import Modules
from loopcheck.record.patch import Call, wrap
from loopcheck.record.tape import Tape


class Averaging:
    """Hooks on torch's averaged model, on what it takes in, and on what computes its statistics anew."""

    def __init__(self, tape: Tape, modules: Modules) -> None:
        self._tape = tape
        self._modules = modules

    def install(self) -> None:
        wrap(swa_utils.AveragedModel, "__init__", self.make)
        wrap(swa_utils.AveragedModel, "update_parameters", self.absorb)
        wrap(swa_utils, "update_bn", self.calibrate)

    def make(self, average: swa_utils.AveragedModel, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        yield None
        model = self._modules.meet(average)
        if model:
            norms = [each for each in average.modules() if isinstance(each, _BatchNorm) and each.track_running_stats]
            self._tape.emit_at(
                self._tape.sites.here(making=average), "average", model.role, stale=bool(norms) and not average.use_buffers
            )

    def absorb(self, average: swa_utils.AveragedModel, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        model = self._modules.meet(average)
        if model:
            self._tape.emit("absorb", model.role)
        yield None

    def calibrate(self, loader: Any, model: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        known = self._modules.meet(model)
        if known:
            self._tape.emit("calibrate", known.role)
        with self._modules.occupied():
            yield None
