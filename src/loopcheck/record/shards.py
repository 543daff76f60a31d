"""Models of several processes: copies, whose gradients are averaged, or shards, whose gradients are clipped over all ranks."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

from torch import nn

from loopcheck.record.cast import Cast
from loopcheck.record.modules import Modules
from loopcheck.record.patch import Call, wrap, wrap_family
from loopcheck.record.tape import Tape
from loopcheck.record.watch import Watch


class Shards:
    """Hooks on `DistributedDataParallel`, and on `FullyShardedDataParallel` as soon as it is imported: to import it for the hooks
    would cost every run a second."""

    def __init__(self, tape: Tape, cast: Cast, modules: Modules, watch: Watch) -> None:
        self._tape = tape
        self._cast = cast
        self._modules = modules
        self._watch = watch

    def install(self) -> None:
        wrap(nn.parallel.DistributedDataParallel, "__init__", self.replicate)
        wrap(nn.parallel.DistributedDataParallel, "forward", self.replicated)
        wrap_family(nn.Module, "__init__", lambda original: self.make if _sharded(original) else None)
        wrap_family(nn.Module, "clip_grad_norm_", lambda original: self.clip if _sharded(original) else None)

    def replicate(self, wrapper: nn.Module, module: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        self._modules.replicated |= {self._cast.number(each) for each in module.modules()}
        if model := self._modules.meet(module):
            self._tape.emit("replicate", model.role)
        yield None

    def replicated(
        self, wrapper: nn.parallel.DistributedDataParallel, *args: Any, **kwargs: Any
    ) -> Generator[Call | None, Any, None]:
        if model := self._modules.meet(wrapper):
            self._modules.synced[model.role] = wrapper.require_backward_grad_sync
        yield None

    def make(self, wrapper: nn.Module, module: nn.Module, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        model = self._modules.meet(module)
        with self._tape.hush():  # modules inside are sharded on their own
            yield None
        if model and "NO_SHARD" not in str(getattr(wrapper, "sharding_strategy", "")):
            self._tape.emit("shard", model.role, anew=not getattr(wrapper, "_use_orig_params", True))

    def clip(self, wrapper: nn.Module, max_norm: float, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
        model = self._modules.meet(wrapper)
        if model:
            taken = self._tape.emit("clip", model.role, limits=math.isfinite(max_norm), managed=True, by="norm")
            self._watch.clip(list(wrapper.parameters()), float(max_norm), taken.at)
        with self._tape.hush():
            yield None


def _sharded(method: Any) -> bool:
    return str(method.__qualname__).startswith("FullyShardedDataParallel.")
