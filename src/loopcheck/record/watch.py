"""What may be watched besides the events. By default nothing; `measure` takes the numbers down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from torch.utils.data import DataLoader

from loopcheck.record.site import Site


class Watch:
    """Told of what happens, before and after it does."""

    def make(self, optimizer: Optimizer, at: Site) -> None:
        """An optimizer was made."""

    def model(self, name: str, module: nn.Module) -> None:
        """A model was seen for the first time."""

    def before_step(self, optimizer: Optimizer) -> None:
        """The optimizer is about to change the weights."""

    def after_step(self, optimizer: Optimizer, name: str, backwards: int, closure: bool, at: Site) -> None:
        """It has, reading what so many backward calls added up."""

    def skip(self, optimizer: Optimizer, at: Site) -> None:
        """A GradScaler was asked for a step and did not take it, for a gradient is not finite."""

    def before_backward(self, optimizers: list[Optimizer]) -> None:
        """Gradients are about to be added."""

    def after_backward(self, optimizers: list[Optimizer], loss: list[Tensor], graphs: int, at: Site) -> None:
        """They have been. graphs: those of forwards that were learned from and are there still."""

    def clip(self, params: list[Tensor], limit: float, at: Site) -> None:
        """The gradients of these are about to be limited."""

    def before_forward(self, module: nn.Module) -> None:
        """A model is about to be applied."""

    def after_forward(self, name: str, module: nn.Module, output: Any, at: Site) -> None:
        """It has been."""

    def schedule(self, scheduler: LRScheduler, optimizer: Optimizer, stepped: bool, at: Site) -> None:
        """A scheduler has set the learning rate. stepped: the optimizer had stepped before."""

    def plan(self, scheduler: LRScheduler, optimizer: Optimizer, at: Site) -> None:
        """A scheduler was made."""

    def snapshot(self, tensors: list[Tensor]) -> None:
        """The state of a model was taken."""

    def save(self, path: str, at: Site) -> None:
        """A checkpoint is about to be written, to a file of this path, or somewhere without one."""

    def restore(self, name: str, tensors: list[Tensor], at: Site) -> None:
        """A state is about to be loaded into a model."""

    def evaluated(self, sizes: list[int], losses: list[float]) -> None:
        """A pass that nothing was trained in is over. sizes: of its batches. losses: their mean losses."""

    def order(self, loader: DataLoader[Any]) -> None:
        """A pass over a loader begins."""

    def indices(self, number: int, batch: Any) -> None:
        """The sampler of a pass, by its number, gave these."""


def together(*watches: Watch) -> Watch:
    """One that tells all of these, in their order."""
    both = Watch()
    for name in [name for name in vars(Watch) if not name.startswith("_")]:
        # What a watch has no use for is not called: a step is too short for that.
        heeding = [getattr(each, name) for each in watches if getattr(type(each), name) is not getattr(Watch, name)]
        setattr(both, name, _all(heeding))
    return both


def _all(methods: list[Callable[..., None]]) -> Callable[..., None]:
    if len(methods) == 1:
        return methods[0]

    def told(*args: Any) -> None:
        for each in methods:
            each(*args)

    return told
