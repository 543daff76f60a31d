"""The objects of a run and the roles they play. What was built from what is settled when the run is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer

from loopcheck.api import HOLDERS, MODED
from loopcheck.loop import Role
from loopcheck.record.site import Sites
from loopcheck.record.tape import Known
from loopcheck.words import words

_TRIES = 3


@dataclass(eq=False)
class Model:
    """A module that was seen: every parameter and submodule it ever held, by number. mode: train, as far as events have told."""

    role: Role
    parameters: set[int] = field(default_factory=set)
    modules: set[int] = field(default_factory=set)
    moded: bool = False
    mode: bool = True


class Cast:
    """Roles of living objects, and the numbers by which parameters and modules are told apart."""

    def __init__(self, sites: Sites) -> None:
        self._sites = sites
        self._numbers: Known[int] = Known()
        self._count = 0
        self._roles: Known[Role] = Known()
        self._models: Known[Model | None] = Known()
        self._nameless: dict[Role, int] = {}
        self.models: list[Model] = []
        self.owned: dict[Role, set[int]] = {}

    def number(self, thing: object) -> int:
        """A number that only this tensor or module has in the run."""
        known = self._numbers.get(thing)
        if known is None:
            self._count += 1
            known = self._numbers.put(thing, self._count)
        return known

    def role(self, kind: str, thing: object, of: tuple[Role, ...] = ()) -> Role:
        """The role of an optimizer, scheduler, scaler, loader or sampler."""
        known = self._roles.get(thing) or self._roles.put(thing, self._new(kind, thing, of))
        return self._named(known, thing)

    def optimizer(self, optimizer: Optimizer) -> Role:
        optimizer = bare(optimizer)
        role = self.role("optimizer", optimizer)
        if role not in self.owned:
            self.owned[role] = set()
            self.look(optimizer)
        return role

    def look(self, optimizer: Optimizer) -> None:
        """See which parameters an optimizer has now."""
        role = self._roles.get(optimizer)
        if role:
            self.owned[role] |= {self.number(each) for each in parameters(optimizer)}

    def knows(self, module: nn.Module) -> bool:
        """The module has been seen before."""
        return self._models.get(unwrapped(module)) is not None

    def model(self, module: nn.Module) -> Model | None:
        """What is known of a module; None for one without parameters, such as a loss."""
        module = unwrapped(module)
        known = self._models.get(module)
        if known is None:
            if next(nn.Module.parameters(module), None) is None:
                return None
            known = self._models.put(module, Model(self._new("model", module), moded=_moded(module), mode=module.training))
            assert known
            self.models.append(known)
            self.look_into(module)
        self._named(known.role, module)
        return known

    def look_into(self, module: nn.Module) -> None:
        """See what a module holds now."""
        known = self._models.get(unwrapped(module))
        if known:
            known.parameters |= {self.number(each) for each in nn.Module.parameters(module)}
            known.modules |= {self.number(each) for each in module.modules()}

    def models_around(self, optimizer: Optimizer) -> list[nn.Module]:
        """The modules in the user's variables that hold an optimizer's parameters."""
        wanted = {id(each) for each in parameters(optimizer)}
        found = {}
        for _, value in self._variables():
            if isinstance(value, nn.Module) and any(id(each) in wanted for each in nn.Module.parameters(value)):
                found[id(unwrapped(value))] = value
        return list(found.values())

    def frozen(self, optimizer: Optimizer) -> bool:
        """Some parameters of what it trains need no gradient."""
        owned = parameters(optimizer)
        wanted = {id(each) for each in owned}
        held = (list(nn.Module.parameters(module)) for module, _ in self.living())
        around = [each for inside in held if any(id(each) in wanted for each in inside) for each in inside]
        return not all(each.requires_grad for each in (*owned, *around))

    def living(self) -> list[tuple[nn.Module, Model]]:
        """The models that were seen and are still there."""
        return [(module, model) for module, model in self._models.living() if model]

    def look_around(self) -> None:
        """See what all that is still there holds now."""
        for module, _ in self.living():
            self.look_into(module)
        for optimizer, role in self._roles.living():
            if role.kind == "optimizer":
                self.look(optimizer)

    def _new(self, kind: str, thing: object, of: tuple[Role, ...] = ()) -> Role:
        role = Role(kind, type(thing).__name__, of)
        self._nameless[role] = _TRIES
        return role

    def _named(self, role: Role, thing: object) -> Role:
        """Give a role the name of the user's variable that holds it, as soon as there is one."""
        tries = self._nameless.get(role)
        if tries:
            self._nameless[role] = tries - 1
            for name, value in self._variables():
                if value is thing or (isinstance(value, nn.Module) and unwrapped(value) is thing):
                    role.name = name
                    del self._nameless[role]
                    break
        return role

    def _variables(self) -> list[tuple[str, Any]]:
        """What the user's frames can name, the nearest first."""
        found: list[tuple[str, Any]] = []
        frames = self._sites.frames()
        for frame in frames:
            found += [(name, value) for name, value in [*frame.f_locals.items()] if name != "self"]
            held = getattr(frame.f_locals.get("self"), "__dict__", {})
            modules = held.get("_modules") or {}
            found += [(f"self.{name}", value) for name, value in {**held, **modules}.items()]
        return found + [pair for frame in frames[-1:] for pair in [*frame.f_globals.items()]]


def tie(models: Sequence[Model], owned: Mapping[Role, Set[int]]) -> None:
    """Tie the roles together: part to whole, optimizer to model. owned: the parameters of each optimizer."""
    for part in models:
        holders = [each for each in models if part.modules < each.modules]
        if holders:
            part.role.part_of = min(holders, key=lambda each: len(each.modules)).role
    for role, numbers in owned.items():
        role.of = holding(models, numbers)


def holding(models: Sequence[Model], numbers: Set[int]) -> tuple[Role, ...]:
    """For each whole model that holds some of these parameters, the smallest module seen that holds all of those."""
    found = []
    for whole in models:
        shared = numbers & whole.parameters
        if whole.role.part_of is None and shared:
            fitting = [each for each in models if shared <= each.parameters and each.modules <= whole.modules]
            found.append(min(fitting, key=lambda each: len(each.modules)).role)
    return tuple(found)


def parameters(optimizer: Optimizer) -> list[Tensor]:
    """What an optimizer changes, read from where it keeps it: asking the user's generator would use it up."""
    return [each for group in optimizer.param_groups for each in group["params"]]


def bare(optimizer: Optimizer) -> Optimizer:
    """The optimizer without what a framework wraps it in."""
    while isinstance(inner := getattr(optimizer, "optimizer", None), Optimizer):
        optimizer = inner
    return optimizer


def unwrapped(module: nn.Module) -> nn.Module:
    while inner := HOLDERS.get(type(module).__name__):
        module = getattr(module, inner)
    return module


def _moded(module: nn.Module) -> bool:
    """Train and eval mode differ for it."""
    return any(_is_moded(each) for each in module.modules())


def switches(module: nn.Module) -> bool:
    """Whether eval mode changes anything for a network now: not where all that differs between the modes is in it by itself."""
    return any(each.training and _is_moded(each) for each in module.modules())


def _is_moded(module: nn.Module) -> bool:
    of_torch = [each.__name__ for each in type(module).__mro__ if each.__module__.startswith("torch.")]
    mode = next((MODED[name] for name in of_torch if name in MODED), None)
    if mode is not None:
        told = getattr(module, mode.option, False)
        return not isinstance(told, nn.Module) and bool(told)  # what it holds is asked for itself
    # A module of the user's own that asks for its mode, as in F.dropout(x, training=self.training).
    code = getattr(type(module).forward, "__code__", None)
    if type(module).__module__.startswith("torch.") or code is None or "training" not in code.co_names:
        return False
    shares = [value for name, value in vars(module).items() if name in code.co_names and "dropout" in words(name)]
    return not shares or any(share is not None and bool(share) for share in shares)
