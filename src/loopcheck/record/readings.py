"""What is read off a run beside its events, as plain numbers: learning rates, gradient norms, parameters and who owns them.

No torch is needed to hold it. Steps are counted for each optimizer, from 1, skipped ones included.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Place: TypeAlias = tuple[str, int]
"""A file and a line."""


@dataclass(frozen=True)
class Reading:
    """One step of an optimizer.

    lrs: the learning rate of each group. norm: of the gradient that it read; None where that cannot be told. before: of what the
    first clip for it found; None where nothing was clipped. taken: a GradScaler did not skip it.
    """

    optimizer: str
    number: int
    lrs: tuple[float, ...]
    norm: float | None
    before: float | None
    taken: bool
    at: Place


@dataclass(frozen=True)
class Parameter:
    """One parameter of a model that is trained, as it last was.

    layer, kind: the module that holds it. learns: it requires a gradient. reached: it had one at some step. still: nothing has
    written to it between the first step and the last. owners: the optimizers that hold it, and its weight decay in each.
    steps: of its owner, as far as gradients were read. missing, zero: those at which it had none, or zeros. broken: the number of
    the first taken at which one was not finite.
    """

    name: str
    layer: str
    kind: str
    shape: tuple[int, ...]
    learns: bool
    reached: bool
    still: bool
    owners: tuple[tuple[str, float], ...] = ()
    steps: int = 0
    missing: int = 0
    zero: int = 0
    broken: int | None = None


@dataclass(frozen=True)
class Group:
    """A parameter group as it last was. tensors, numbers: how many it holds."""

    optimizer: str
    number: int
    lr: float
    decay: float
    tensors: int
    numbers: int


@dataclass
class Pass:
    """A pass over a loader, by the number of its `iterate` event in the trace.

    order: a digest of the samples' indices in their order; None where they are not known.
    """

    number: int
    order: str | None = None
    samples: int = 0


@dataclass
class Plan:
    """A learning rate scheduler.

    horizon: the number of its steps after which its schedule is over; None where it has no end. advanced: how often it was
    stepped in the whole run. rates: of the first group after each step that was recorded. curve: what is planned for it, by the
    number of its steps, where that can be told.
    """

    kind: str
    optimizer: str
    made: Place
    horizon: int | None = None
    advanced: int = 0
    rates: list[float] = field(default_factory=list)
    curve: list[tuple[int, float]] = field(default_factory=list)


@dataclass
class Owner:
    """An optimizer. steps, last: those of the whole run, and the learning rate of its first group at the last of them.

    within: it steps inside another optimizer's step.
    """

    name: str
    kind: str
    made: Place
    at: Place = ("", 0)
    steps: int = 0
    last: float | None = None
    within: bool = False


@dataclass
class Drift:
    """A forward in which batch norm learned: its number in the trace, and the layers whose statistics moved."""

    number: int
    layers: tuple[str, ...]


@dataclass
class Readings:
    """All of one process.

    replicated: a model is averaged over ranks by DistributedDataParallel. sums: a number that stands for the weights
    of each model, by the steps taken when it was read.
    """

    steps: list[Reading] = field(default_factory=list)
    owners: list[Owner] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    drifts: list[Drift] = field(default_factory=list)
    replicated: bool = False
    sums: dict[str, dict[int, float]] = field(default_factory=dict)
