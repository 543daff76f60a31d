"""What only a run shows: each observation with a small program that has it, and near misses that it is silent about."""

from __future__ import annotations

import copy
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest
import torch

from loopcheck import packs
from loopcheck.auditing import observe
from loopcheck.auditing.report import observed
from loopcheck.auditing.sightings import sightings
from loopcheck.finding import Finding
from loopcheck.record.readings import Readings
from loopcheck.record.run import Run
from loopcheck.record.session import Session
from loopcheck.rule import Confidence

Play = Callable[..., Run]

HEAD = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 4))
        self.head = nn.Linear(4, 1)
        self.extra = nn.Linear(4, 1)
    def forward(self, x, extra=True):
        x = self.body(x)
        return self.head(x) + (self.extra(x) if extra else 0)
model = Net()
def train(*optimizers, epochs=3, scheduler=None, each=None, extra=True, seed=None, per_step=None):
    for epoch in range(epochs):
        model.train()
        if seed is not None:
            torch.manual_seed(seed)
        for a, b in loader:
            loss = nn.functional.mse_loss(model(a, extra), b)
            for optimizer in optimizers:
                optimizer.zero_grad()
            loss.backward()
            for optimizer in optimizers:
                optimizer.step()
            if per_step:
                per_step.step()
        if scheduler:
            scheduler.step()
        if each:
            each()
SGD, AdamW = torch.optim.SGD, torch.optim.AdamW
"""


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    """Runs a program in this process, recorded."""

    def play(text: str, steps: int | None = None, keep: Callable[[Run], None] | None = None) -> Run:
        path = tmp_path / "train.py"
        path.write_text(HEAD + dedent(text), encoding="utf-8")
        session = Session(str(tmp_path), steps, keep, late=True)
        try:
            runpy.run_path(str(path), run_name="__main__")
            session.run.whole = True
        finally:
            run = session.end()
        assert run.trouble is None
        run.script = str(path)
        return run

    return play  # type: ignore[return-value]


def names(*runs: Run, least: Confidence = Confidence.MEDIUM) -> set[str]:
    return {finding.rule.name for finding in findings(*runs) if finding.confidence >= least}


def findings(*runs: Run) -> list[Finding]:
    return [*observed(runs, observe.rules(), sightings(packs.rules(), runs))]


CASES = [
    ("unoptimized-parameters", "o = SGD([*model.body.parameters()], 0.1); model.body.append(nn.Linear(4, 4)); train(o)"),
    ("unoptimized-parameters", "o = SGD(model.parameters(), 0.1); model.head = nn.Linear(4, 1); train(o)"),
    ("", "o = SGD([*model.body.parameters(), *model.head.parameters()], 0.1); model.extra.requires_grad_(False); train(o)"),
    ("", "o = SGD(model.head.parameters(), 0.1); train(o)"),  # of low confidence: the rest may be meant to stay
    ("", "train(SGD(model.parameters(), 0.1))"),
    ("parameters-of-two-optimizers", "train(SGD(model.parameters(), 0.1), torch.optim.Adam(model.head.parameters()))"),
    ("", "train(SGD(model.parameters(), 0.1)); train(torch.optim.Adam(model.parameters()))"),
    ("", "train(SGD(model.body.parameters(), 0.1), AdamW([*model.head.parameters(), *model.extra.parameters()]))"),
    (
        "exemption-with-holes",
        """
        named = dict(model.named_parameters())
        decayed = [p for n, p in named.items() if "bias" not in n]
        train(AdamW([{"params": decayed}, {"params": [p for n, p in named.items() if "bias" in n], "weight_decay": 0.0}]))
        """,
    ),
    (
        "",
        """
        named = dict(model.named_parameters())
        decayed = [p for n, p in named.items() if p.dim() > 1]
        train(AdamW([{"params": decayed}, {"params": [p for n, p in named.items() if p.dim() < 2], "weight_decay": 0.0}]))
        """,
    ),
    (
        "",
        """
        rest = [*model.head.parameters(), *model.extra.parameters()]
        train(AdamW([{"params": model.body.parameters()}, {"params": rest, "weight_decay": 0.0}]))
        """,
    ),
    (
        "idle-scheduler",
        "o = SGD(model.parameters(), 0.1); s = torch.optim.lr_scheduler.CosineAnnealingLR(o, 9); train(o, epochs=6)",
    ),
    (
        "idle-scheduler",
        """
        o = SGD(model.parameters(), 0.1)
        s = torch.optim.lr_scheduler.StepLR(o, 1)
        train(SGD(model.parameters(), 0.2), epochs=6, scheduler=s)
        """,
    ),
    ("", "o = SGD(model.parameters(), 0.1); s = torch.optim.lr_scheduler.StepLR(o, 30); train(o, epochs=6, scheduler=s)"),
    (
        "",
        """
        o = SGD(model.parameters(), 0.1)
        warm, then = torch.optim.lr_scheduler.LinearLR(o, 0.1, 1.0, 2), torch.optim.lr_scheduler.CosineAnnealingLR(o, 4)
        train(o, epochs=6, scheduler=torch.optim.lr_scheduler.SequentialLR(o, [warm, then], [2]))
        """,
    ),
    (
        "schedule-in-other-units",
        "o = SGD(model.parameters(), 0.1); train(o, epochs=9, scheduler=torch.optim.lr_scheduler.OneCycleLR(o, 0.2, 36))",
    ),
    (
        "schedule-in-other-units",
        "o = SGD(model.parameters(), 0.1); train(o, epochs=9, per_step=torch.optim.lr_scheduler.CosineAnnealingLR(o, 9))",
    ),
    ("", "o = SGD(model.parameters(), 0.1); train(o, epochs=9, per_step=torch.optim.lr_scheduler.OneCycleLR(o, 0.2, 36))"),
    ("", "o = SGD(model.parameters(), 0.1); train(o, epochs=9, scheduler=torch.optim.lr_scheduler.CosineAnnealingLR(o, 9))"),
    ("", "o = SGD(model.parameters(), 0.1); train(o, epochs=9, scheduler=torch.optim.lr_scheduler.CosineAnnealingLR(o, 90))"),
    ("layer-without-gradient", "train(SGD(model.parameters(), 0.1), extra=False)"),
    ("layer-without-gradient", "nn.init.constant_(model.body[1].bias, -1e6); train(SGD(model.parameters(), 0.1))"),
    ("", "o = SGD(model.parameters(), 0.1)\nfor i in range(8): model(x).sum().backward(); o.zero_grad(); o.step()"),
    ("", "nn.init.zeros_(model.head.weight); nn.init.zeros_(model.extra.weight); train(SGD(model.parameters(), 0.1))"),
    ("gradient-not-finite", "x[3] = float('inf'); train(SGD(model.parameters(), 0.1))"),
    (
        "steps-mostly-skipped",
        """
        scaler, o = torch.amp.GradScaler("cpu"), SGD(model.parameters(), 0.1)
        for i in range(24):
            o.zero_grad()
            scaler.scale(model(x * float("inf" if i % 3 else 1)).sum()).backward()
            scaler.step(o); scaler.update()
        """,
    ),
    (
        "",
        """
        scaler, o = torch.amp.GradScaler("cpu"), SGD(model.parameters(), 1e-4)
        for i in range(24):
            o.zero_grad()
            scaler.scale(model(x * float("inf" if i < 5 else 1)).mean()).backward()
            scaler.step(o); scaler.update()
        """,
    ),
    (
        "batch-norm-learns-in-evaluation",
        """
        held = DataLoader(TensorDataset(x), batch_size=8)
        def evaluate():
            model.eval()
            model.body[1].training = True
            with torch.no_grad():
                for a, in held: model(a)
        train(SGD(model.parameters(), 0.1), each=evaluate)
        """,
    ),
    (
        "",
        """
        held = DataLoader(TensorDataset(x), batch_size=8)
        def evaluate():
            model.eval()
            with torch.no_grad():
                for a, in held: model(a)
        train(SGD(model.parameters(), 0.1), each=evaluate)
        """,
    ),
    ("repeated-order", "train(SGD(model.parameters(), 0.1), seed=7)"),
    ("", "loader = DataLoader(TensorDataset(x, y), batch_size=8); train(SGD(model.parameters(), 0.1), seed=7)"),
]


@pytest.mark.parametrize(("name", "text"), CASES, ids=[f"{number}-{name or 'silent'}" for number, (name, _) in enumerate(CASES)])
def test_what_is_seen(play: Play, name: str, text: str) -> None:
    said = names(play(text))
    if name:
        assert name in said
        assert said <= {name, "layer-without-gradient"}
    else:
        assert said == set()


def test_it_is_told_where_a_person_can_mend_it(play: Play) -> None:
    run = play("o = SGD(model.parameters(), 0.1)\nmodel.head = nn.Linear(4, 1)\ntrain(o)")
    (told,) = [each for each in findings(run) if each.rule.name == "unoptimized-parameters"]
    assert told.primary.row == HEAD.count("\n") + 1
    assert "`model.head.weight`, `model.head.bias`" in told.message
    assert "`optimizer` does not hold them" in told.message


def ranks(run: Run, number: int = 2) -> list[Run]:
    """A run as if so many ranks had done the same."""
    runs = []
    for rank in range(number):
        runs.append(copy.copy(run))
        runs[-1].readings = copy.deepcopy(run.readings)
        runs[-1].rank = rank
    return runs


def test_ranks_that_drift_apart(play: Play) -> None:
    both = ranks(play("train(SGD(model.parameters(), 0.1))"))
    for run, sums in zip(both, ({1: 5.0, 8: 6.0}, {1: 5.0, 8: 6.1}), strict=True):
        run.readings.sums = {"model": dict(sums)}
    assert names(*both) == {"ranks-drift-apart"}
    both[1].readings.sums = {"model": {1: 5.0, 8: 6.0}}
    assert names(*both) == set()
    both[1].readings.sums = {"model": {1: 4.0, 8: 6.1}}  # they never were the same: parts of one model, say
    assert names(*both) == set()


def test_ranks_that_read_the_same(play: Play) -> None:
    both = ranks(play("train(SGD(model.parameters(), 0.1))"))
    assert names(*both) == set()
    for run in both:
        run.readings.replicated = True
    assert names(*both) == {"ranks-read-the-same"}
    for each in both[1].readings.passes:
        each.order = f"{each.order}!"
    assert names(*both) == set()


def test_every_observation_has_a_page_and_a_case() -> None:
    told = {name for name, _ in CASES} | {"ranks-drift-apart", "ranks-read-the-same"}
    for rule in observe.rules():
        assert rule.name in told
        assert len(rule.page) > 100
        assert rule.title.endswith(".")


def test_the_page_of_the_audit_lists_them() -> None:
    page = (Path(__file__).parent.parent / "docs/audit.md").read_text(encoding="utf-8")
    rows = [f"| {rule.code} | {rule.name} | {rule.title} |" for rule in observe.rules()]
    assert [line for line in page.splitlines() if line.startswith("| LA")] == rows


def test_nothing_is_seen_where_nothing_was_read() -> None:
    assert [*observed([Run(whole=True)], observe.rules(), {})] == []
    assert Readings().steps == []


def test_of_a_short_run_nothing_is_said(play: Play) -> None:
    run = play("o = SGD(model.parameters(), 0.1); s = torch.optim.lr_scheduler.StepLR(o, 1); train(o, epochs=1)")
    assert names(run) == set()


def test_the_readings_of_a_step(play: Play) -> None:
    run = play(
        """
        o = SGD(model.parameters(), 0.5)
        (model(x).sum() * 100).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        o.step()
        """
    )
    (step,) = run.readings.steps
    assert step.lrs == (0.5,)
    assert step.before == pytest.approx(6871.26, rel=0.5)
    assert step.norm == pytest.approx(1.0, rel=1e-3)
    assert step.taken
    assert torch.is_grad_enabled()


def test_what_is_kept_on_the_way_changes_nothing(play: Play) -> None:
    text = """
    for epoch in range(4):
        optimizer = SGD(model.parameters(), 0.1)
        train(optimizer, epochs=1, extra=epoch > 1)
        model.eval()
        with torch.no_grad():
            model(x)
        model.extra, grown = nn.Linear(4, 1), nn.Sequential(model)
    """
    kept: list[Run] = []
    runs = [
        play(f"torch.manual_seed(0)\n{dedent(text)}", steps=16),
        play(text, steps=16, keep=lambda run: kept.append(copy.deepcopy(run))),
    ]
    assert _story(runs[0]) == _story(runs[1])
    assert [sum(event.verb == "step" for event in run.trace) for run in kept] == [1, 2, 4, 8, 16]
    assert [len(run.readings.steps) for run in kept] == [1, 2, 4, 8, 16]
    assert [run.killed for run in kept] == [True] * 4 + [False]


def _story(run: Run) -> list[object]:
    return [
        (event.verb, dict(event.facts), [(role.name, [part.name for part in role.of]) for role in event.on])
        for event in run.trace
    ]


def test_what_the_recorder_computes_for_itself_is_not_the_programs(play: Play) -> None:
    text = """
    optimizer = SGD(model.parameters(), 0.1)
    for i in range(3):
        model(x).sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
    """
    discards = [play(text + more) for more in ("", "    torch.no_grad()\n")]
    assert [sum(event.verb == "discard" for event in run.trace) for run in discards] == [0, 3]
