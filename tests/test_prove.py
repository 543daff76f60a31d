"""The numbers of a run, and what is claimed of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent
from typing import TypeAlias

import pytest
import torch

from loopcheck import packs, prove
from loopcheck.prove import Prediction, ProofError, Run, above, at_least, at_most, below, claim, differs, equals
from loopcheck.rule import Rule
from loopcheck.show import proof as shown

Play: TypeAlias = Callable[[str], Run]


# Numbers

LINE = """
model = nn.Linear(2, 1, bias=False)
with torch.no_grad(): model.weight.copy_(torch.tensor([[3.0, 4.0]]))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
"""


def test_steps_and_backwards(play: Play) -> None:
    run = play(
        LINE
        + """
for i in range(2):
    model(torch.tensor([[3.0, 4.0]])).sum().backward()
nn.utils.clip_grad_norm_(model.parameters(), 5.0)
optimizer.step()
optimizer.step()
"""
    )
    assert [backward.norm for backward in run.backwards] == [5.0, 5.0]
    assert [backward.total for backward in run.backwards] == [5.0, 10.0]
    assert run.backwards[0].loss == 25.0
    assert [(clip.norm, clip.max_norm) for clip in run.clips] == [(10.0, 5.0)]
    first, second = run.steps
    assert (first.lr, first.lrs, first.backwards, second.backwards) == (0.5, (0.5,), 2, 0)
    assert first.grad_norm == pytest.approx(5.0)
    assert first.update_norm == pytest.approx(2.5)
    assert first.gradient.dtype == torch.float64
    assert first.gradient.tolist() == pytest.approx([3.0, 4.0])
    assert run.start_weights["model.weight"].tolist() == [[3.0, 4.0]]
    assert run.weights["model.weight"].tolist() == [pytest.approx([0.0, 0.0], abs=1e-5)]


def test_an_empty_gradient_is_zero(play: Play) -> None:
    (step,) = play(LINE + "optimizer.step()").steps
    assert (step.grad_norm, step.update_norm, step.gradient.tolist()) == (0.0, 0.0, [0.0, 0.0])


def test_forwards(play: Play) -> None:
    run = play(
        """
model = nn.BatchNorm1d(2)
model(torch.ones(3, 2))
model.eval()
with torch.no_grad(): model(torch.ones(3, 2))
"""
    )
    train, evaluation = run.forwards
    assert (train.training, train.grad, train.state_changed) == (True, True, True)
    assert (evaluation.training, evaluation.grad, evaluation.state_changed) == (False, False, False)
    assert train.nodes == 3  # the layer's and one for each of its two parameters
    assert evaluation.nodes == 0
    assert train.output is not None
    assert train.output.shape == (3, 2)


def test_orders_and_schedules(play: Play) -> None:
    run = play(
        LINE
        + """
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.1)
loader = data.DataLoader(range(4), batch_size=3, sampler=[3, 1, 2, 0], num_workers=1)
for batch in loader: pass
next(iter(loader))
scheduler.step()
optimizer.step()
scheduler.step()
"""
    )
    assert run.orders[0] == [3, 1, 2, 0]
    assert len(run.orders) == 2
    assert [schedule.lr for schedule in run.schedules] == pytest.approx([0.05, 0.005])
    assert [schedule.before_first_step for schedule in run.schedules] == [True, False]
    assert any("lr_scheduler.step()" in text for text in run.warnings)


def test_a_step_that_the_scaler_skips_is_none(play: Play) -> None:
    run = play(
        LINE
        + """
scaler = torch.amp.GradScaler("cpu")
for factor in (float("inf"), 1.0):
    optimizer.zero_grad()
    scaler.scale(model(torch.ones(1, 2)).sum() * factor).backward()
    scaler.step(optimizer)
    scaler.update()
"""
    )
    assert [event.verb for event in run.trace if event.verb == "step"] == ["step", "step"]
    assert [step.grad_norm for step in run.steps] == [pytest.approx(math.sqrt(2))]
    assert run.backwards[1].norm == pytest.approx(math.sqrt(2) * 32768)


# Predictions


@pytest.mark.parametrize(
    ("prediction", "holds", "fails"),
    [
        (above(1.0), 1.1, 1.0),
        (above(1.0, within=0.5), 1.6, 1.4),
        (below(1.0), 0.9, 1.0),
        (at_most(1.0, within=0.1), 1.1, 1.2),
        (at_least(1.0), 1, 0.9),
        (equals(4), 4, 5),
        (equals(1.0, within=0.1), 0.95, 0.8),
        (equals(True), True, False),
        (equals("a"), "a", "b"),
        (differs(0.0), 1e-9, 0.0),
        (differs(1.0, within=0.1), 1.2, 1.05),
        (at_most(1.0), 0.0, math.nan),
        (above(1.0), 2.0, math.nan),
        (equals(0.0), 0.0, math.nan),
    ],
)
def test_predictions(prediction: Prediction, holds: float | str, fails: float | str) -> None:
    assert prediction.holds(holds)
    assert not prediction.holds(fails)


def test_a_text_has_no_size() -> None:
    with pytest.raises(TypeError, match=r"'a' has no size; say equals\(\.\.\.\) or differs\(\.\.\.\)"):
        above(1.0).holds("a")


# Proofs

BAD = "import torch\np = torch.ones(1, requires_grad=True)\no = torch.optim.SGD([p], lr=2.0)\np.sum().backward()\no.step()\n"
GOOD = BAD.replace("2.0", "1.0")
PROOF = """
    from loopcheck.prove import Run, claim, equals

    @claim("change", bad=lambda run: equals(run.steps[0].lr * run.steps[0].grad_norm), good=equals({good}))
    def change(run: Run) -> float:
        return run.steps[0].update_norm
    """


@pytest.fixture
def rule(tmp_path: Path) -> Rule:
    """A rule whose bad script's change is 2, and whose good one's is 1."""
    (tmp_path / "bad.py").write_text(BAD)
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "proof.py").write_text(dedent(PROOF).format(good=1.0))
    return replace(packs.rules()[0], code="LC999", name="own-rule", folder=tmp_path)


def test_a_proof_that_holds(rule: Rule) -> None:
    proved = prove.prove(rule, fixed=GOOD)
    assert proved.holds
    assert proved.repaired is True
    assert shown.show(proved) == dedent(
        """\
        LC999 own-rule on cpu: holds
          quantity  bad: theory  measured  good: theory  measured  within
          change    = 2          2         = 1           1         0       holds
          The bad script, repaired, gives the same numbers as the good one, bit for bit."""
    )


def test_a_repair_that_gives_other_numbers(rule: Rule) -> None:
    proved = prove.prove(rule, fixed=BAD)
    assert (proved.repaired, proved.holds) == (False, False)
    assert "gives OTHER numbers than the good one" in shown.show(proved)


def test_a_claim_that_is_wrong(rule: Rule) -> None:
    (rule.folder / "proof.py").write_text(dedent(PROOF).format(good=1.5))
    proved = prove.prove(rule)
    assert not proved.holds
    assert [(row.good_theory, row.good_measured, row.holds) for row in proved.rows] == [("= 1.5", "1", False)]


def test_a_claim_that_tells_nothing_apart(play: Play) -> None:
    run = play(LINE)
    module = type(prove)("proof")
    module.measured = claim("always", bad=above(0.0), good=above(0.0))(lambda run: 1.0)  # type: ignore[attr-defined]
    assert not prove.spoiled(module, run)


@pytest.mark.parametrize(("text", "complaint"), [(None, "has no proof"), ("x = 1", "makes no claim")])
def test_a_rule_without_a_proof(rule: Rule, text: str | None, complaint: str) -> None:
    proof = rule.folder / "proof.py"
    proof.unlink() if text is None else proof.write_text(text)
    with pytest.raises(ProofError, match=complaint):
        prove.prove(rule)


def test_without_torch(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ProofError, match=r"need torch: pip install 'loopcheck\[prove\]'"):
        prove.prove(rule)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has CUDA")
def test_what_needs_cuda_is_skipped_and_says_so(rule: Rule) -> None:
    proved = prove.prove(rule, device="cuda")
    assert proved.rows == ()
    assert shown.show(proved) == "LC999 own-rule on cuda: skipped, needs CUDA, and this machine has none"
