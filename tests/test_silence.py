"""Why the source said nothing of what a run does: each reason with a small program that has it."""

from __future__ import annotations

import runpy
from pathlib import Path
from textwrap import dedent

import pytest

from loopcheck import config, packs
from loopcheck.auditing.report import reports
from loopcheck.read.interpret import budget
from loopcheck.record.session import Session
from loopcheck.scope import Scope, Wishes

HEAD = """
import torch
from torch import nn
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))
def loss():
    return model(torch.randn(8, 3)).pow(2).mean()
"""
SGD = "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\n"
LOOP = """
for i in range(4):
    loss().backward()
    optimizer.step()
"""
COMPUTED = LOOP.replace("optimizer.step()", "getattr(optimizer, 'pets'[::-1])()")
CASES = [
    (
        "a name that is computed",
        SGD + COMPUTED,
        "no step is read in",
    ),
    (
        "code out of sight",
        SGD + "import out_of_sight" + LOOP + "    out_of_sight.note(optimizer)",
        "`out_of_sight.note(optimizer)` hands `optimizer` to code that is not read, where there may be a zero_grad",
    ),
    (
        "a flag",
        SGD + "import os\n" + LOOP + "    if os.environ.get('CLEARS'): optimizer.zero_grad()",
        "on some ways through the code it does not happen",
    ),
    (
        "functions that nobody calls by their names",
        SGD + "def learn(): loss().backward()\ndef move(): optimizer.step()\n"
        "for i in range(4):\n    for name in ('learn', 'move'): vars()[name]()",
        "nothing in sight leads to both `loss().backward()` and `optimizer.step()`",
    ),
    (
        "one of two optimizers",
        SGD + "pair = [optimizer, torch.optim.SGD(model.parameters(), lr=0.0)]\nfor i in range(4):\n"
        "    loss().backward()\n    pair[int(torch.rand(1))].step()",
        "no step is read in `pair[int(torch.rand(1))].step()`",
    ),
    (
        "a file without a word of training",
        SGD + "from quiet import call" + LOOP.replace("optimizer.step()", "call(optimizer, 'st' + 'ep')"),
        "quiet.py was not read: no training code",
    ),
    (
        "a call that lies too deep",
        SGD
        + "".join(f"def at{n}(o): at{n + 1}(o)\n" for n in range(budget.DEEPEST_CALL + 2))
        + f"def at{budget.DEEPEST_CALL + 2}(o):"
        + LOOP.replace("optimizer", "o").replace("\n", "\n    ")
        + "\nat0(optimizer)",
        f"`at{budget.DEEPEST_CALL + 1}` was not read where it is called: calls lie too deep",
    ),
    (
        "a length that is not known",
        SGD
        + dedent("""
        from torch.utils.data import DataLoader, TensorDataset
        loader = DataLoader(TensorDataset(torch.randn(32, 3)), batch_size=4, shuffle=True)
        total = vars()["nn"] and int("3")
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=total)
        for again in range(3):
            for x, in loader:
                optimizer.zero_grad()
                loss().backward()
                optimizer.step()
                scheduler.step()
        """),
        "length is not known of `torch.optim.lr_scheduler.CosineAnnealingLR(",
    ),
]


def said(folder: Path, text: str, explained: bool = True) -> list[str]:
    """What the report says of the run, with the reasons."""
    path = folder / "train.py"
    path.write_text(HEAD + text, encoding="utf-8")
    session = Session(str(folder), None, late=True)
    try:
        runpy.run_path(str(path), run_name="__main__")
        session.run.whole = True
    finally:
        run = session.end()
    assert run.trouble is None
    run.script = str(path)
    found = reports([run], Scope(config.Projects(), Wishes()), packs.rules(), explained=explained)
    return [finding.run for report in found for finding in report.findings]


@pytest.mark.parametrize(("text", "why"), [pytest.param(*case[1:], id=case[0]) for case in CASES])
def test_the_reason(text: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "elsewhere"
    library.mkdir()
    (library / "out_of_sight.py").write_text("def note(optimizer): pass\n")
    monkeypatch.syspath_prepend(str(library))
    (tmp_path / "home").mkdir()
    (tmp_path / "home/quiet.py").write_text("def call(what, name): getattr(what, name)()\n")
    monkeypatch.syspath_prepend(str(tmp_path / "home"))
    (run,) = said(tmp_path / "home", text)
    told, _, reason = run.partition("; the source is silent: ")
    assert told.startswith("seen only in the run, ")
    assert why in reason


def test_what_a_check_is_too_unsure_of_to_show(tmp_path: Path) -> None:
    test = SGD + "import unittest\nclass TestIt(unittest.TestCase):\n    def test_it(self):" + LOOP.replace("\n", "\n        ")
    (run,) = said(tmp_path, test + "\nTestIt('test_it').debug()")
    assert (
        run == "confirmed at step 2; a check finds it, and does not show what it is so little sure of: it is part of a unit test"
    )


def test_no_reason_is_given_that_nobody_has_asked_for(tmp_path: Path) -> None:
    text = SGD + COMPUTED
    assert said(tmp_path, text, explained=False) == ["seen only in the run, at step 2"]
