"""A recorded run as plain data: the events, and in a measured run the numbers that proofs speak of.

No torch is needed to hold a trace; the tensors of a measured run need it. Norms are L2, gradients and outputs are on the
CPU, and every list is in the order of the run. `at` is the line of the script's file, `optimizer` and `model` are names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from loopcheck.loop import Event
from loopcheck.record.readings import Readings

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Step:
    """One step that an optimizer really took (a GradScaler may skip one).

    lr, lrs: the learning rate of the first group, and of each group.
    update_norm: of the change of the optimizer's parameters.
    gradient: what the step reads, all parameters flattened into one float64 vector; zeros where there was none.
    backwards: how many backward calls added to it since it was last cleared or stepped.
    """

    optimizer: str
    lr: float
    lrs: tuple[float, ...]
    update_norm: float
    grad_norm: float
    gradient: Tensor = field(repr=False)
    backwards: int
    at: int


@dataclass(frozen=True)
class Backward:
    """One backward call, over the parameters of every optimizer there is.

    norm, gradient: of what this call alone added. total: norm of what has accumulated after it. loss: the tensor's value.
    graphs: forwards that were learned from and whose autograd graph is there after it, that of this call among them.
    """

    norm: float
    total: float
    gradient: Tensor = field(repr=False)
    loss: float
    graphs: int
    at: int


@dataclass(frozen=True)
class Clip:
    """One call that limits gradients. norm: total norm found. max_norm: the limit, by norm or by value."""

    norm: float
    max_norm: float
    at: int


@dataclass(frozen=True)
class Forward:
    """One outermost call of a module that has parameters.

    grad: its output needs a gradient. nodes: autograd nodes behind the output. output: its first tensor, if there is one.
    state_changed: a buffer changed during the call, as BatchNorm's statistics do in train mode.
    """

    model: str
    training: bool
    grad: bool
    nodes: int
    output: Tensor | None = field(repr=False)
    state_changed: bool
    at: int


@dataclass(frozen=True)
class Schedule:
    """One scheduler step. lr: of the first group after it. before_first_step: its optimizer had not stepped yet."""

    lr: float
    before_first_step: bool
    at: int


@dataclass(frozen=True)
class Restore:
    """One state that was loaded into a model.

    distance: of its tensors from those of the nearest state that was ever taken, as they were then, the largest difference;
    infinite where none was taken.
    """

    model: str
    distance: float
    at: int


@dataclass(frozen=True)
class Save:
    """One checkpoint that was written. path: of the file; empty where it was written elsewhere."""

    path: str
    at: int


@dataclass(frozen=True)
class Evaluation:
    """One pass over a loader that nothing was trained in, with one loss for each batch.

    sizes: how many samples each batch had. losses: the mean loss of each.
    """

    sizes: tuple[int, ...]
    losses: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean loss of all samples."""
        return sum(size * loss for size, loss in zip(self.sizes, self.losses, strict=True)) / sum(self.sizes)

    @property
    def mean_of_means(self) -> float:
        """The mean of the batches' means."""
        return sum(self.losses) / len(self.losses)


@dataclass
class Run:
    """What one process of a script did.

    trace: the recorded events. raised: the error that ended it, as `RuntimeError: message`.
    stdout, stderr: what it said. warnings: the text of each that was shown.
    orders: for each pass over a loader the sample indices that its sampler produced.
    start_weights, weights: every model's parameters, `model.0.weight` and so on, when first seen and at the end.
    ranks: the runs of all ranks where there are several, this one among them; else this one alone.
    script, pid, rank: the process. world: how many ranks there are. stopped: the optimizer steps after which recording stopped;
    None where it lasted to the end.
    whole: the program came to its end. trouble: an error of the recorder's, after which it took nothing down.
    readings: the numbers of a run that is audited.
    All from `warnings` to `start_weights` are filled only where the run was measured.
    """

    trace: list[Event] = field(default_factory=list)
    raised: str | None = None
    stdout: str = ""
    stderr: str = ""
    warnings: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    backwards: list[Backward] = field(default_factory=list)
    clips: list[Clip] = field(default_factory=list)
    forwards: list[Forward] = field(default_factory=list)
    orders: list[list[int]] = field(default_factory=list)
    schedules: list[Schedule] = field(default_factory=list)
    restores: list[Restore] = field(default_factory=list)
    saves: list[Save] = field(default_factory=list)
    evaluations: list[Evaluation] = field(default_factory=list)
    weights: dict[str, Tensor] = field(default_factory=dict)
    start_weights: dict[str, Tensor] = field(default_factory=dict)
    ranks: list[Run] = field(default_factory=list)
    script: str = ""
    pid: int = 0
    rank: int = 0
    world: int = 1
    stopped: int | None = None
    whole: bool = False
    trouble: str | None = None
    readings: Readings = field(default_factory=Readings)

    @property
    def killed(self) -> bool:
        """The process has not come to an end of its own, and this is what had been seen of it some time before."""
        return not self.whole and self.raised is None and self.stopped is None

    def turns(self, *optimizers: str) -> int:
        """How often one of these optimizers has stepped after another of them."""
        order = [step.optimizer for step in self.readings.steps if step.optimizer in optimizers]
        return sum(one != other for one, other in pairwise(order))

    def steps_of_a_pass(self, optimizer: str) -> int:
        """The steps that an optimizer takes in its first full pass over training data; 0 where there was none."""
        begun = [at for at, event in enumerate(self.trace) if event.verb == "iterate" and event.facts.get("training")]
        if len(begun) < 2:
            return 0
        within = self.trace[begun[0] : begun[1]]
        return sum(
            event.verb == "step" and any(role.name == optimizer.partition("#")[0] for role in event.on) for event in within
        )
