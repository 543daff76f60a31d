"""Numbers of a run that goes on: read beside the program, never written, and not waited for before they are kept."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _NormBase
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils.data import DataLoader

from loopcheck.loop import Role
from loopcheck.record.cast import Cast, bare, parameters
from loopcheck.record.curves import curve, double, rehearsed
from loopcheck.record.readings import Drift, Group, Owner, Parameter, Pass, Plan, Reading, Readings
from loopcheck.record.site import Site
from loopcheck.record.tape import Known
from loopcheck.record.watch import Watch

_HORIZONS = {"OneCycleLR": "total_steps", "CosineAnnealingLR": "T_max", "PolynomialLR": "total_iters"}


@dataclass
class _Step:
    """What a step read. have: of the optimizer's parameters those that had a gradient, by number, and their norms in a row."""

    lrs: tuple[float, ...]
    have: tuple[int, ...]
    norms: Tensor | None
    before: Tensor | None
    taken: bool
    at: Site
    turn: int


@dataclass
class _Account:
    """One optimizer's."""

    owner: Owner
    optimizer: weakref.ref[Optimizer]
    numbers: tuple[int, ...] = ()
    steps: list[_Step] = field(default_factory=list)
    before: Tensor | None = None
    pending: tuple[tuple[int, ...], Tensor | None] = ((), None)


class Gauge(Watch):
    """Fills readings. It keeps nothing of the program's alive.

    cast: who plays which role. taken: how many events have been taken down.
    """

    def __init__(self) -> None:
        self.cast: Cast | None = None
        self.taken: Callable[[], int] = lambda: 0
        self._accounts: dict[Role, _Account] = {}
        self._active = 0
        self._plans: Known[Plan] = Known()
        self._planned: list[tuple[Plan, Role, LRScheduler | None]] = []
        self._passes: list[tuple[Pass, Any]] = []
        self._norms: Known[list[tuple[str, nn.Module]]] = Known()
        self._counted: list[int] = []
        self._versions: dict[int, int] = {}
        self._reached: set[int] = set()
        self._stock: list[tuple[int, Parameter, list[tuple[Owner, float]]]] = []
        self._groups: list[tuple[Owner, Group]] = []
        self._sums: dict[str, dict[int, Tensor]] = {}
        self._readings = Readings()
        self._tail: Any = None

    # Optimizers

    def make(self, optimizer: Optimizer, at: Site) -> None:
        self._account(optimizer).owner.made = at.place

    def clip(self, params: list[Tensor], limit: float, at: Site) -> None:
        assert self.cast
        numbers = {self.cast.number(each) for each in params}
        accounts = [each for each in self._accounts.values() if each.before is None and not numbers.isdisjoint(each.numbers)]
        if accounts and limit != float("inf"):
            norms = _norms(params)
            for account in accounts:
                account.before = None if norms is None else norms.norm()

    def before_step(self, optimizer: Optimizer) -> None:
        account = self._account(optimizer)
        account.owner.within = account.owner.within or self._active > 0
        self._active += 1
        account.pending = self._read(account, optimizer)
        if not any(each.steps for each in self._accounts.values()):
            self._weigh()

    def after_step(self, optimizer: Optimizer, name: str, backwards: int, closure: bool, at: Site) -> None:
        self._active = max(0, self._active - 1)
        account = self._account(optimizer)
        self._note(account, optimizer, self._read(account, optimizer) if closure else account.pending, True, at)
        account.owner.steps += 1
        total = sum(len(each.steps) for each in self._accounts.values())
        if total & (total - 1) == 0:  # the first, second, fourth, eighth …
            self.take_stock()

    def skip(self, optimizer: Optimizer, at: Site) -> None:
        account = self._account(optimizer)
        self._note(account, optimizer, self._read(account, optimizer), False, at)

    # Data, schedulers, modules

    def order(self, loader: DataLoader[Any]) -> None:
        self._passes.append((Pass(self.taken() - 1), hashlib.blake2b(digest_size=8)))

    def indices(self, number: int, batch: Any) -> None:
        if number < len(self._passes) and isinstance(batch, (list, tuple, int)):
            told = batch if isinstance(batch, (list, tuple)) else [batch]
            if told and all(isinstance(each, int) for each in told):
                self._passes[number][0].samples += len(told)
                self._passes[number][1].update(",".join(map(str, told)).encode())

    def plan(self, scheduler: LRScheduler, optimizer: Optimizer, at: Site) -> None:
        account = self._account(optimizer)
        horizon = getattr(scheduler, _HORIZONS.get(type(scheduler).__name__, ""), None)
        plan = Plan(type(scheduler).__name__, "", at.place, horizon if isinstance(horizon, int) else None)
        plan.curve = curve(scheduler)
        copied = None if plan.curve else double(scheduler)
        inside = [self._plans.get(each) for each in getattr(scheduler, "_schedulers", ())]
        self._planned = [each for each in self._planned if each[0] not in inside]
        role = next(role for role, each in self._accounts.items() if each is account)
        self._planned.append((self._plans.put(scheduler, plan), role, copied))

    def schedule(self, scheduler: LRScheduler, optimizer: Optimizer, stepped: bool, at: Site) -> None:
        plan = self._plans.get(scheduler)
        if plan is not None:
            plan.advanced += 1
            plan.rates.append(float(optimizer.param_groups[0]["lr"]))

    def before_forward(self, module: nn.Module) -> None:
        self._counted = [each.num_batches_tracked._version for _, each in self._of(module)]

    def after_forward(self, name: str, module: nn.Module, output: Any, at: Site) -> None:
        self._readings.replicated |= type(module).__name__ == "DistributedDataParallel"
        known = self._of(module)
        now = [each.num_batches_tracked._version for _, each in known]
        if now != self._counted and len(now) == len(self._counted):
            moved = [path for (path, _), was, is_ in zip(known, self._counted, now, strict=True) if was != is_]
            self._readings.drifts.append(Drift(self.taken() - 1, tuple(moved)))

    # Putting it together

    def take_stock(self) -> None:
        """See which parameters there are, and who owns them; where an owner is gone, what was seen before stands."""
        assert self.cast
        if self._stock and any(account.steps and account.optimizer() is None for account in self._accounts.values()):
            return
        living = sorted(self.cast.living(), key=lambda pair: -len(pair[1].modules))
        seen: dict[int, tuple[str, str, str, Tensor]] = {}
        for module, model in living:
            layers = dict(module.named_modules())
            for path, each in module.named_parameters():
                number = self.cast.number(each)
                if number not in seen:
                    layer, _, _ = path.rpartition(".")
                    base = model.role.name or type(module).__name__
                    seen[number] = f"{base}.{path}", f"{base}.{layer}".rstrip("."), type(layers.get(layer, module)).__name__, each
        self._weigh()
        owners: dict[int, list[tuple[Owner, float]]] = {}
        groups: list[tuple[Owner, Group]] = []
        for account in self._accounts.values():
            optimizer = account.optimizer()
            for at, group in enumerate(optimizer.param_groups if optimizer else ()):
                decay = float(group.get("weight_decay", 0) or 0)
                held = [each for each in group["params"] if isinstance(each, Tensor)]
                sizes = len(held), sum(each.numel() for each in held)
                told = Group(account.owner.name, at, float(group["lr"]) if "lr" in group else 0.0, decay, *sizes)
                groups.append((account.owner, told))
                for tensor in held if account.steps else ():
                    owners.setdefault(self.cast.number(tensor), []).append((account.owner, decay))
        first = not self._versions
        self._stock = []
        for number, (name, layer, kind, param) in seen.items():
            if param.grad is not None:
                self._reached.add(number)
            version = self._versions.setdefault(number, param._version)
            still = not first and version == param._version
            seen_as = Parameter(name, layer, kind, tuple(param.shape), param.requires_grad, number in self._reached, still)
            self._stock.append((number, seen_as, owners.get(number, [])))
        self._groups = groups

    def rehearse(self) -> None:
        """Say what schedulers plan, twice as far as they have come; recording is over, or it would hear of that."""
        for plan, _, copied in self._planned:
            if copied and plan.advanced:
                plan.curve = rehearsed(copied, 2 * plan.advanced)

    def follow(self) -> None:
        """Recording is over; from here on only steps are counted, with the learning rate of each."""
        self._stock = []
        for account in self._accounts.values():
            account.steps.clear()
        self._tail = register_optimizer_step_post_hook(self._count)

    def forget(self) -> None:
        """The run is over, too."""
        if self._tail is not None:
            self._tail.remove()

    def finish(self) -> Readings:
        """All that was read so far, as numbers."""
        readings = self._readings
        readings.parameters = []
        named: dict[str, int] = {}
        for role, account in self._accounts.items():
            name = role.name or account.owner.kind
            named[name] = named.get(name, 0) + 1
            account.owner.name = name if named[name] == 1 else f"{name}#{named[name]}"
        readings.owners = [account.owner for account in self._accounts.values()]
        for plan, role, _ in self._planned:
            plan.optimizer = self._accounts[role].owner.name
        readings.plans = [plan for plan, _, _ in self._planned]
        for passed, order in self._passes:
            passed.order = order.hexdigest() if passed.samples else None
        readings.passes = [passed for passed, _ in self._passes]
        readings.groups = [replace(group, optimizer=owner.name) for owner, group in self._groups]
        readings.sums = {name: {step: float(each) for step, each in sums.items()} for name, sums in self._sums.items()}
        counts = self._gradients(readings)
        for number, parameter, owners in self._stock:
            steps, missing, zero, broken = counts.get(number, (0, 0, 0, 0))
            held = tuple((owner.name, decay) for owner, decay in owners)
            told = replace(parameter, owners=held, steps=steps, missing=missing, zero=zero, broken=broken or None)
            readings.parameters.append(told)
        return readings

    def _gradients(self, readings: Readings) -> dict[int, list[int]]:
        """Every step as a reading; for each parameter its steps, those without a gradient, with zeros, and the first broken."""
        found: dict[int, list[int]] = {}
        told: list[tuple[int, Reading]] = []
        for account in self._accounts.values():
            for number, step in enumerate(account.steps, 1):
                norms = [] if step.norms is None else step.norms.double().tolist()
                total = sum(each * each for each in norms) ** 0.5 if step.norms is not None else None
                before = None if step.before is None else float(step.before)
                name, lrs = account.owner.name, step.lrs
                told.append((step.turn, Reading(name, number, lrs, total, before, step.taken, step.at.place)))
                by_number = dict(zip(step.have, norms, strict=False))
                for each in account.numbers if step.norms is not None and step.taken else ():
                    counts = found.setdefault(each, [0, 0, 0, 0])
                    norm = by_number.get(each)
                    counts[0] += 1
                    counts[1] += norm is None
                    counts[2] += norm == 0.0
                    if norm is not None and not norm < float("inf") and not counts[3]:
                        counts[3] = number
        readings.steps = [reading for _, reading in sorted(told, key=lambda pair: pair[0])]
        return found

    def _account(self, optimizer: Optimizer) -> _Account:
        assert self.cast
        optimizer = bare(optimizer)
        role = self.cast.optimizer(optimizer)
        if role not in self._accounts:
            owner = Owner(role.name, type(optimizer).__name__, ("", 0))
            numbers = tuple(self.cast.number(each) for each in parameters(optimizer))
            self._accounts[role] = _Account(owner, weakref.ref(optimizer), numbers)
        return self._accounts[role]

    def _read(self, account: _Account, optimizer: Optimizer) -> tuple[tuple[int, ...], Tensor | None]:
        assert self.cast
        params = parameters(optimizer)
        if len(params) != len(account.numbers):
            account.numbers = tuple(self.cast.number(each) for each in params)
        have = [each for each in params if each.grad is not None]
        held = account.numbers
        if len(have) < len(params):
            held = tuple(number for number, each in zip(account.numbers, params, strict=True) if each.grad is not None)
        self._reached.update(held)
        return held, _norms(have)

    def _note(
        self, account: _Account, optimizer: Optimizer, read: tuple[tuple[int, ...], Tensor | None], taken: bool, at: Site
    ) -> None:
        lrs = tuple(float(group["lr"]) for group in optimizer.param_groups if "lr" in group)
        turn = sum(len(each.steps) for each in self._accounts.values())
        account.steps.append(_Step(lrs, *read, account.before, taken, at, turn))
        account.before = None
        account.owner.at = at.place
        account.owner.last = lrs[0] if lrs else None

    def _of(self, module: nn.Module) -> list[tuple[str, nn.Module]]:
        """The layers of a model that keep statistics."""
        known = self._norms.get(module)
        if known is None:
            found = [(path, each) for path, each in module.named_modules() if isinstance(each, _NormBase)]
            known = self._norms.put(module, [(path, each) for path, each in found if each.num_batches_tracked is not None])
        return known

    def _weigh(self) -> None:
        """Take down the weights of models that are whole on each of several ranks: what is sharded has others on each."""
        assert self.cast
        if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
            return
        steps = sum(len(each.steps) for each in self._accounts.values())
        for module, model in self.cast.living():
            params = [each.detach() for each in module.parameters()]
            if params and all(type(each) is Tensor and each.is_floating_point() for each in params):
                total = torch.stack([each.double().sum().cpu() for each in params]).sum()
                self._sums.setdefault(model.role.name, {})[steps] = total

    def _count(self, optimizer: Optimizer, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if torch.compiler.is_compiling():
            return
        account = self._account(optimizer)
        account.owner.steps += 1
        account.owner.last = float(optimizer.param_groups[0].get("lr", 0.0))
        for scheduler, plan in self._plans.living():
            plan.advanced = max(plan.advanced, int(getattr(scheduler, "last_epoch", 0)))


def _norms(params: list[Tensor]) -> Tensor | None:
    """The norm of each gradient, in a row; None where to read them means more: sharded, sparse, on several devices."""
    grads = [each.grad for each in params if each.grad is not None]
    plain = all(type(each) is Tensor and each.layout is torch.strided and each.device == grads[0].device for each in grads)
    if not grads or not plain:
        return None if grads else torch.zeros(0)
    with torch.no_grad():
        norms = torch._foreach_norm(grads)
        return torch.stack(norms if all(each.dtype is torch.float32 for each in norms) else [each.float() for each in norms])
