"""Proofs: what theory predicts of a rule's bad and good scripts, and what running them shows.

    @claim("largest weight update / learning rate", bad=above(1.0), good=at_most(1.0, within=1e-5))
    def largest_update(run: Run) -> float:
        return max(step.update_norm / step.lr for step in run.steps)

A rule's `proof.py` holds such claims. `RANKS = 2` there runs the scripts under that many real ranks, `NEEDS_CUDA = True`
skips the proof where there is no CUDA.
"""

from __future__ import annotations

import importlib.util
import math
import platform
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from loopcheck import packs
from loopcheck.measured import RAISES, SILENT, WARNS, Measured, Row
from loopcheck.record import Run, record
from loopcheck.rule import Rule

__all__ = [
    "Claim",
    "Curve",
    "Prediction",
    "Proof",
    "ProofError",
    "Row",
    "Run",
    "above",
    "at_least",
    "at_most",
    "below",
    "claim",
    "claims",
    "differs",
    "equals",
    "evaluate",
    "kept_of",
    "prove",
    "same_numbers",
    "tells",
]

Value: TypeAlias = float | int | bool | str


class ProofError(Exception):
    """A proof that cannot be run, with what to do about it."""


@dataclass(frozen=True)
class Prediction:
    """What a quantity is said to be. `within`: the absolute tolerance."""

    sign: str
    value: Value
    within: float
    holds: Callable[[Value], bool]

    def __str__(self) -> str:
        return f"{self.sign} {shown(self.value)}"


def above(value: float, within: float = 0.0) -> Prediction:
    """More than `value` by more than the tolerance."""
    return Prediction(">", value, within, lambda measured: _number(measured) > value + within)


def below(value: float, within: float = 0.0) -> Prediction:
    """Less than `value` by more than the tolerance."""
    return Prediction("<", value, within, lambda measured: _number(measured) < value - within)


def at_most(value: float, within: float = 0.0) -> Prediction:
    return Prediction("<=", value, within, lambda measured: _number(measured) <= value + within)


def at_least(value: float, within: float = 0.0) -> Prediction:
    return Prediction(">=", value, within, lambda measured: _number(measured) >= value - within)


def equals(value: Value, within: float = 0.0) -> Prediction:
    return Prediction("=", value, within, lambda measured: _same(measured, value, within))


def differs(value: Value, within: float = 0.0) -> Prediction:
    return Prediction("!=", value, within, lambda measured: not _same(measured, value, within))


Theory: TypeAlias = Prediction | Callable[[Run], Prediction]
"""A prediction, or what makes one from other quantities that were measured in the same run."""


@dataclass(frozen=True)
class Claim:
    """A quantity, how it is measured in a run, and what it is said to be in the bad and in the good script."""

    quantity: str
    bad: Theory
    good: Theory
    measure: Callable[[Run], Value]

    def __call__(self, run: Run) -> Value:
        return self.measure(run)


def claim(quantity: str, *, bad: Theory, good: Theory) -> Callable[[Callable[[Run], Value]], Claim]:
    """Make a measurement of one run a claim about the bad and the good script."""
    return lambda measure: Claim(quantity, bad, good, measure)


@dataclass(frozen=True)
class Curve:
    """One quantity over the steps of the bad, the good and the mended script. mended: nothing where there is none."""

    quantity: str
    bad: tuple[float, ...]
    good: tuple[float, ...]
    mended: tuple[float, ...] = ()


_OVER_STEPS: Mapping[str, Callable[[Run], Iterable[float]]] = {
    "norm of the weight update": lambda run: (step.update_norm for step in run.steps),
    "learning rate": lambda run: (step.lr for step in run.steps),
    "norm of the gradient that a step reads": lambda run: (step.grad_norm for step in run.steps),
    "loss": lambda run: (backward.loss for backward in run.backwards),
}


def curve(bad: Run, good: Run, mended: Run | None = None) -> Curve | None:
    """The first quantity that the bad script and the good one go different ways in; None where no step tells them apart."""
    for quantity, of in _OVER_STEPS.items():
        found = Curve(quantity, tuple(of(bad)), tuple(of(good)), tuple(of(mended)) if mended else ())
        if found.bad and found.good and found.bad != found.good:
            return found
    return None


@dataclass(frozen=True)
class Proof:
    """What came of proving a rule on a device.

    skipped: why nothing was run, else None.
    repaired: the fixed script's numbers equal the good script's bit for bit; None where there is no fixed script.
    tells: how a run of the bad script tells of its bug. curve: what goes another way in it, step by step.
    """

    rule: Rule
    device: str
    rows: tuple[Row, ...] = ()
    repaired: bool | None = None
    skipped: str | None = None
    tells: str = SILENT
    curve: Curve | None = None

    @property
    def holds(self) -> bool:
        return all(row.holds for row in self.rows) and self.repaired is not False


def prove(rule: Rule, device: str = "cpu", fixed: str | None = None, play: Callable[[Path, int], Run] | None = None) -> Proof:
    """Run a rule's bad and good script, and `fixed`, the repaired bad one, under measurement, and judge its claims.

    device: `cpu`, where CUDA is hidden from the scripts, or `cuda`. play: runs a script there under so many ranks, measured, for
    who has a faster way than a process for each.
    Raises ProofError where the rule has no proof or torch is missing.
    """
    proof = load(rule)
    if reason := unprovable(proof, device):
        return Proof(rule, device, skipped=reason)
    ranks = getattr(proof, "RANKS", 1)

    def run(script: Path) -> Run:
        return play(script, ranks) if play else record(script, device=device, ranks=ranks, measure=True)

    bad, good = run(rule.folder / "bad.py"), run(rule.folder / "good.py")
    mended, repaired = None, None
    if fixed is not None:
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder, "fixed.py")
            script.write_text(fixed, encoding="utf-8", newline="")
            mended = run(script)
        repaired = same_numbers(mended, good)
    rows = tuple(evaluate(proof, device, bad, good))
    return Proof(rule, device, rows, repaired, tells=tells(bad, good), curve=curve(bad, good, mended))


def tells(bad: Run, good: Run) -> str:
    """How a run of the bad script tells of its bug: by an error, by a warning that the good one does not give, or not at all."""
    if any(run.raised for run in bad.ranks):
        return RAISES
    usual = {text for run in good.ranks for text in run.warnings}
    return WARNS if any(text not in usual for run in bad.ranks for text in run.warnings) else SILENT


def kept_of(proof: Proof) -> Measured:
    """What of a proof can be kept beside its rule."""
    import torch

    machine = torch.cuda.get_device_name() if proof.device == "cuda" else platform.machine()
    return Measured(proof.device, machine, torch.__version__.partition("+")[0], proof.rows, proof.repaired, proof.tells)


def load(rule: Rule) -> ModuleType:
    """The rule's proof.py. Raises ProofError where there is none or torch is missing."""
    if importlib.util.find_spec("torch") is None:
        raise ProofError("proofs run training scripts and need torch: pip install 'loopcheck[prove]'")
    path = rule.folder / "proof.py"
    module = packs.beside(rule, path.name)
    if module is None:
        raise ProofError(f"{rule.name} has no proof: {path} is missing")
    if not claims(module):
        raise ProofError(f"{path} makes no claim: decorate a measurement with @claim(...)")
    return module


def claims(proof: ModuleType) -> list[Claim]:
    """The claims of a proof, in the order in which they are written."""
    return [value for value in vars(proof).values() if isinstance(value, Claim)]


def unprovable(proof: ModuleType, device: str) -> str | None:
    """Why a proof cannot be run on this machine, if so."""
    import torch

    if (device == "cuda" or getattr(proof, "NEEDS_CUDA", False)) and not torch.cuda.is_available():
        return "needs CUDA, and this machine has none"
    if device == "cpu" and getattr(proof, "NEEDS_CUDA", False):
        return "needs CUDA: prove it with --device cuda"
    return None


def evaluate(proof: ModuleType, device: str, bad: Run, good: Run) -> list[Row]:
    """Every claim of a proof, measured in a run of the bad and in one of the good script."""
    return [_row(each, device, bad, good) for each in claims(proof)]


def _row(each: Claim, device: str, bad: Run, good: Run) -> Row:
    theory = {"bad": _predict(each.bad, bad), "good": _predict(each.good, good)}
    measured = {"bad": each(bad), "good": each(good)}
    return Row(
        quantity=each.quantity,
        device=device,
        bad_theory=str(theory["bad"]),
        bad_measured=shown(measured["bad"]),
        good_theory=str(theory["good"]),
        good_measured=shown(measured["good"]),
        within=max(theory["bad"].within, theory["good"].within),
        holds=all(theory[side].holds(measured[side]) for side in theory),
    )


def spoiled(proof: ModuleType, bad: Run) -> bool:
    """Some claim tells the two scripts apart: what it says of the good one fails when measured on the bad one."""
    return any(not _predict(each.good, bad).holds(each(bad)) for each in claims(proof))


def same_numbers(one: Run, other: Run) -> bool:
    """Two runs took the same steps to the same weights, bit for bit, on every rank."""
    import torch

    def numbers(run: Run) -> list[object]:
        steps = [(step.lrs, step.update_norm, step.grad_norm) for step in run.steps]
        return [steps, [backward.loss for backward in run.backwards], run.orders, run.raised, list(run.weights)]

    return len(one.ranks) == len(other.ranks) and all(
        repr(numbers(a)) == repr(numbers(b)) and all(torch.equal(a.weights[name], b.weights[name]) for name in a.weights)
        for a, b in zip(one.ranks, other.ranks, strict=True)
    )


def shown(value: Value) -> str:
    """A measured value as text: six digits that matter."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _predict(theory: Theory, run: Run) -> Prediction:
    return theory if isinstance(theory, Prediction) else theory(run)


def _number(value: Value) -> float:
    if isinstance(value, str):
        raise TypeError(f"{value!r} has no size; say equals(...) or differs(...)")
    return float(value)


def _same(measured: Value, value: Value, within: float) -> bool:
    if isinstance(measured, str) or isinstance(value, str):
        return measured == value
    return math.isclose(measured, value, rel_tol=0.0, abs_tol=within)
