"""Learning rate schedulers."""

from __future__ import annotations

import ast
import dis
import inspect
from collections.abc import Generator, Iterator
from types import CodeType
from typing import Any

from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR, LRScheduler, ReduceLROnPlateau, SequentialLR

from loopcheck.api import COUNTED, LAST_EPOCHS, LENGTHS, MEMORYLESS
from loopcheck.loop import Fact, Role
from loopcheck.record.cast import Cast, bare
from loopcheck.record.ledger import Ledger
from loopcheck.record.patch import Around, Call, wrap_family
from loopcheck.record.tape import Known, Moment, Tape
from loopcheck.record.watch import Watch
from loopcheck.words import BEGINNINGS, PROGRESS, RATE, metric_of, words


class Schedules:
    """The constructors and steps of all schedulers. Those inside a constructor or another scheduler's step are torch's.

    lengths: how long each was told to be. last: of those that are made of several, how long the last part is.
    """

    def __init__(self, tape: Tape, cast: Cast, ledger: Ledger, watch: Watch) -> None:
        self._tape = tape
        self._cast = cast
        self._ledger = ledger
        self._watch = watch
        self.lengths: dict[Role, int] = {}
        self.last: dict[Role, int | None] = {}
        self._come: dict[Role, int | None] = {}
        self._built = Known[Moment | None]()

    def install(self) -> None:
        wrap_family(LRScheduler, "__init__", self._making)
        wrap_family(LRScheduler, "step", self._stepping)

    def _making(self, original: Any) -> Around:
        def around(scheduler: LRScheduler, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
            with self._tape.hush():
                yield None
            at = self._tape.sites.here(making=scheduler)
            name = type(scheduler).__name__
            place = LAST_EPOCHS.get(name, 2)
            told = name in MEMORYLESS or kwargs.get("last_epoch", args[place] if len(args) > place else -1) != -1
            told = told or (type(scheduler) is LambdaLR and all(map(_counts_on, scheduler.lr_lambdas)))
            role = self._role(scheduler)
            taken = self._tape.emit_at(at, "build", role, resumed=told, **self._told(scheduler))
            self._spend(scheduler, taken)
            self._come[role] = getattr(scheduler, "last_epoch", None)
            if (length := _length(scheduler)) is not None:
                self.lengths[role] = length
            if isinstance(scheduler, SequentialLR) and scheduler._milestones[-1] > 0:
                self.last[role] = _length(scheduler._schedulers[-1])
            optimizer = _optimizer(scheduler)
            if optimizer and not self._tape.hushed:
                self._watch.plan(scheduler, optimizer, taken.at)

        return around

    def _told(self, scheduler: LRScheduler) -> dict[str, Fact]:
        """What a schedule is told. Whether a function of the user's makes the first learning rate 0; a library's is none."""
        if isinstance(scheduler, ReduceLROnPlateau):
            return {"mode": scheduler.mode}
        if isinstance(scheduler, SequentialLR):
            return {"cut": 0 < scheduler._milestones[0] < (_length(scheduler._schedulers[0]) or 0)}
        functions = getattr(scheduler, "lr_lambdas", ())
        if type(scheduler) is not LambdaLR or not all(map(self._tape.sites.defines, functions)):
            return {}
        rates, bases = scheduler.get_last_lr(), scheduler.base_lrs  # to call the functions once more might change what they give
        squared = rates == [base * base for base in bases] and any(base != 1 for base in bases)
        twice = squared and all(map(_names_a_rate, functions))
        return {"from_zero": any(bases) and not any(rates), "twice": twice}

    def _spend(self, made: LRScheduler, taken: Moment) -> None:
        """A decay is over when the warm-up of its optimizer is. Parts of a sequence have their turns."""
        parts = made._schedulers if isinstance(made, SequentialLR) else ()
        for each, built in self._built.living():
            if built and each in parts:
                built.facts["spent"] = False
                self._built.put(each, None)
        self._built.put(made, taken)
        for each, built in self._built.living():
            for decay, moment, rise in ((made, taken, each), (each, built, made)) if built else ():
                if moment and _optimizer(decay) is _optimizer(rise) and _goes_up(decay) is False and _goes_up(rise):
                    moment.facts["spent"] = moment.facts.get("spent") is True or _length(decay) == _length(rise)

    def _stepping(self, original: Any) -> Around:
        place = list(inspect.signature(original).parameters).index("epoch") - 1 if _counts(original) else None

        def around(scheduler: LRScheduler, *args: Any, **kwargs: Any) -> Generator[Call | None, Any, None]:
            if self._tape.hushed:
                yield None
                return
            given = kwargs.get("epoch")
            if place is not None and len(args) > place:
                given = args[place]
            plain = not isinstance(scheduler, ReduceLROnPlateau)
            told = given is not None or (plain and self._keeps_its_rates(scheduler))
            facts: dict[str, Fact] = {"epoch": told} if plain or told else {}
            if not plain and (metric := self._metric() if args or "metrics" in kwargs else "missing"):
                facts["metric"] = metric
            role, come = self._role(scheduler), getattr(scheduler, "last_epoch", None)
            if come != self._come.get(role, come):  # somebody has told it how far it has come
                self._tape.emit("restore", role)
            taken = self._tape.emit("schedule", role, managed=not self._tape.sites.direct(), **facts)
            with self._tape.hush():
                yield None
            self._come[role] = getattr(scheduler, "last_epoch", None)
            optimizer = _optimizer(scheduler)
            if optimizer:
                self._watch.schedule(scheduler, optimizer, self._ledger.open(optimizer).stepped, taken.at)

        return around

    def _keeps_its_rates(self, scheduler: LRScheduler) -> bool:
        """Whether a class of the user's makes its rates of nothing that a step changes: it only reads what an object was told."""
        cls = type(scheduler)
        if not self._tape.sites.defines(cls.get_lr):
            return False
        codes = [*_codes(cls.get_lr.__code__)]
        read = {name for code in codes for name in code.co_names}
        binds = any(each.opname == "STORE_ATTR" for code in codes for each in dis.get_instructions(code))
        own = {each for each in read if hasattr(getattr(cls, each, None), "__get__")}
        return not binds and not own and read.isdisjoint({*COUNTED, "super"})

    def _metric(self) -> str | None:
        """What the metric is called that a schedule is told here."""
        try:
            call = ast.parse(self._tape.sites.here().text, mode="eval").body
        except (SyntaxError, ValueError):
            return None
        if not isinstance(call, ast.Call):
            return None
        told = [*call.args, *(each.value for each in call.keywords if each.arg == "metrics")]
        return metric_of(ast.unparse(told[0])) if told else None

    def _role(self, scheduler: LRScheduler) -> Role:
        optimizer = _optimizer(scheduler)
        of = (self._ledger.open(optimizer).role,) if optimizer else ()
        return self._cast.role("scheduler", scheduler, of)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of the comprehensions and functions in it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _codes(each)


def _names_a_rate(function: Any) -> bool:
    return any(not words(name).isdisjoint(RATE) for name in _names(function))


def _counts_on(function: Any) -> bool:
    """It reads where training began: `lambda epoch: decay(epoch + start_epoch)`."""
    return any(words(name) & PROGRESS and words(name) & BEGINNINGS for name in _names(function))


def _names(function: Any) -> tuple[str, ...]:
    """The names that a function reads and does not bind."""
    code = getattr(function, "__code__", None)
    return () if code is None else (*code.co_names, *code.co_freevars)


def _length(scheduler: LRScheduler) -> int | None:
    """How long a schedule was told to be."""
    length = getattr(scheduler, LENGTHS.get(type(scheduler).__name__, (0, ""))[1], None)
    return length if isinstance(length, int) else None


def _goes_up(scheduler: Any) -> bool | None:
    """Whether a schedule takes the rate up; None of those that are not as long as they are told."""
    match type(scheduler).__name__:
        case "LinearLR":
            return bool(scheduler.start_factor < scheduler.end_factor)
        case "CosineAnnealingLR":
            return bool(scheduler.eta_min > max(scheduler.base_lrs))
        case "PolynomialLR":
            return False
        case _:
            return None


def _counts(step: Any) -> bool:
    """The scheduler can be told the epoch."""
    return "epoch" in inspect.signature(step).parameters


def _optimizer(scheduler: LRScheduler) -> Optimizer | None:
    """The optimizer that a scheduler moves; one that moves several by other schedulers has none."""
    optimizer = getattr(scheduler, "optimizer", None)
    return None if optimizer is None else bare(optimizer)
