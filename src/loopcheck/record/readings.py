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


@dataclass
class Layer:
    """The parameters that one module holds itself, and how their gradients were at the steps that should have read them.

    steps: of its optimizer. missing, zero: of these, those at which all of its parameters that learn had no gradient, or zeros.
    broken: the number of the first at which one was not finite, 0 where there is none.
    """

    name: str
    kind: str
    optimizer: str
    steps: int = 0
    missing: int = 0
    zero: int = 0
    broken: int = 0


@dataclass(frozen=True)
class Parameter:
    """One parameter of a model that is trained, as it last was.

    learns: it requires a gradient. reached: it has had one. still: nothing has written to it since it was first seen.
    owners: the optimizers that hold it. decays: the weight decay of its group in each.
    """

    name: str
    layer: str
    shape: tuple[int, ...]
    learns: bool
    reached: bool
    still: bool
    owners: tuple[str, ...]
    decays: tuple[float, ...]


@dataclass(frozen=True)
class Group:
    """A parameter group as it last was. sizes: how many tensors and how many numbers it holds."""

    optimizer: str
    number: int
    lr: float
    decay: float
    tensors: int
    numbers: int


@dataclass
class Pass:
    """A pass over a loader. order: a digest of the samples' indices in their order; None where they are not known.

    samples: how many. place: where the loader is iterated.
    """

    order: str | None = None
    samples: int = 0


@dataclass
class Plan:
    """A learning rate scheduler. horizon: the number of its steps after which its schedule is over; None where it has no end.

    advanced: how often it has been stepped in all. rates: of the first group, after each step that was recorded. last: after
    the last of all.
    """

    name: str
    kind: str
    optimizer: str
    horizon: int | None
    made: Place
    advanced: int = 0
    rates: list[float] = field(default_factory=list)
    last: float | None = None
    follows: bool = False


@dataclass
class Drift:
    """A forward in which batch norm learned. at: the site's line; layers: those whose statistics moved."""

    at: Place
    layers: tuple[str, ...]


@dataclass
class Readings:
    """All of one process.

    made: where each optimizer was made. taken: steps of each optimizer in the whole run, also after recording has stopped.
    nested: pairs of optimizers one of which steps inside the other. passes: in the order of the `iterate` events.
    total: passes over loaders in the whole run. sums: a number that stands for the weights of each model, by the number of
    steps taken when it was read.
    """

    steps: list[Reading] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    passes: list[Pass] = field(default_factory=list)
    plans: list[Plan] = field(default_factory=list)
    drifts: list[Drift] = field(default_factory=list)
    made: dict[str, Place] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    nested: set[frozenset[str]] = field(default_factory=set)
    total: int = 0
    sums: dict[str, dict[int, float]] = field(default_factory=dict)
