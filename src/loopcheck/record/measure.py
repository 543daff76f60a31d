"""The numbers of a run: norms, gradients, learning rates, orders and weights, read beside the program and never written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from torch.utils.data import DataLoader

from loopcheck.record import graph
from loopcheck.record.cast import parameters, unwrapped
from loopcheck.record.run import Backward, Clip, Evaluation, Forward, Restore, Run, Save, Schedule, Step
from loopcheck.record.site import Site
from loopcheck.record.watch import Watch


class Measure(Watch):
    """Fills a run. It holds on to the models, so that their last weights can be read when the script is over."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._models: dict[str, nn.Module] = {}
        self._weights: list[Tensor] = []
        self._gradient = torch.zeros(0)
        self._read = torch.zeros(0)
        self._buffers: list[Tensor] = []
        self._taken: list[list[Tensor]] = []

    def finish(self) -> None:
        self._run.weights = self._snapshot(self._models)

    def model(self, name: str, module: nn.Module) -> None:
        number = 1 + sum(each.split("#")[0] == name for each in self._models)
        name = name if number == 1 else f"{name}#{number}"
        self._models[name] = unwrapped(module)
        self._run.start_weights |= self._snapshot({name: unwrapped(module)})

    def before_step(self, optimizer: Optimizer) -> None:
        self._weights = [each.detach().clone() for each in parameters(optimizer)]
        self._read = _gradient(parameters(optimizer))

    def after_step(self, optimizer: Optimizer, name: str, backwards: int, closure: bool, at: Site) -> None:
        params = parameters(optimizer)
        read = _gradient(params) if closure else self._read
        rates = tuple(float(group["lr"]) for group in optimizer.param_groups)
        changes = [new.detach() - old for new, old in zip(params, self._weights, strict=True)]
        norms = float(_flat(changes).norm()), float(read.norm())
        self._run.steps.append(Step(name, rates[0], rates, *norms, read, backwards, at.line))

    def before_backward(self, optimizers: list[Optimizer]) -> None:
        self._gradient = _gradient(_all(optimizers))

    def after_backward(self, optimizers: list[Optimizer], loss: list[Tensor], graphs: int, at: Site) -> None:
        total = _gradient(_all(optimizers))
        fresh = total - self._gradient
        value = sum(float(each.detach().sum()) for each in loss)
        self._run.backwards.append(Backward(float(fresh.norm()), float(total.norm()), fresh, value, graphs, at.line))

    def clip(self, params: list[Tensor], limit: float, at: Site) -> None:
        self._run.clips.append(Clip(float(_gradient(params).norm()), limit, at.line))

    def before_forward(self, module: nn.Module) -> None:
        self._buffers = [each.detach().clone() for each in module.buffers()]

    def after_forward(self, name: str, module: nn.Module, output: Any, at: Site) -> None:
        before, after = self._buffers, list(module.buffers())
        changed = len(before) != len(after) or not all(map(_same, before, after))
        nodes = graph.size(graph.roots(output))
        first = next(graph.tensors(output), None)
        copy = None if first is None else first.detach().cpu().clone()
        self._run.forwards.append(Forward(name, module.training, nodes > 0, nodes, copy, changed, at.line))

    def schedule(self, scheduler: LRScheduler, optimizer: Optimizer, stepped: bool, at: Site) -> None:
        self._run.schedules.append(Schedule(float(optimizer.param_groups[0]["lr"]), not stepped, at.line))

    def snapshot(self, tensors: list[Tensor]) -> None:
        self._taken.append([each.detach().clone() for each in tensors])

    def save(self, path: str, at: Site) -> None:
        self._run.saves.append(Save(path, at.line))

    def restore(self, name: str, tensors: list[Tensor], at: Site) -> None:
        distances = [_distance(tensors, taken) for taken in self._taken if _alike(tensors, taken)]
        self._run.restores.append(Restore(name, min(distances, default=math.inf), at.line))

    def evaluated(self, sizes: list[int], losses: list[float]) -> None:
        self._run.evaluations.append(Evaluation(tuple(sizes), tuple(losses)))

    def order(self, loader: DataLoader[Any]) -> None:
        self._run.orders.append([])

    def indices(self, number: int, batch: Any) -> None:
        self._run.orders[number] += batch if isinstance(batch, (list, tuple)) else [batch]

    def _snapshot(self, models: dict[str, nn.Module]) -> dict[str, Tensor]:
        return {
            f"{name}.{path}": each.detach().cpu().clone()
            for name, module in models.items()
            for path, each in module.named_parameters()
        }


def _all(optimizers: list[Optimizer]) -> list[Tensor]:
    """Every parameter of these once."""
    return list({id(each): each for optimizer in optimizers for each in parameters(optimizer)}.values())


def _gradient(params: Iterable[Tensor]) -> Tensor:
    return _flat([torch.zeros_like(each) if each.grad is None else each.grad for each in params])


def _flat(parts: list[Tensor]) -> Tensor:
    """One float64 vector on the CPU."""
    flat = [(part.to_dense() if part.is_sparse else part).detach().to("cpu", torch.float64).flatten() for part in parts]
    return torch.cat(flat) if flat else torch.zeros(0, dtype=torch.float64)


def _alike(one: list[Tensor], other: list[Tensor]) -> bool:
    return [each.shape for each in one] == [each.shape for each in other]


def _distance(one: list[Tensor], other: list[Tensor]) -> float:
    """The largest difference between tensors of two states."""
    return float((_flat(one) - _flat(other)).abs().max()) if one else 0.0


def _same(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and bool(torch.equal(one, other))
