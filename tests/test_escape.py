"""Objects in the hands of code out of sight: the static judge does not know what is done to them, the run does.

Where a library does what would have been missing, both judges are silent. Where it does not, only the run can tell.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from loopcheck import testing

LIBRARY = """
import torch


class Evaluator:
    def __init__(self, model):
        self.held = model

    def begin(self):
        self.held.eval()


def put_in_eval_mode(model):
    model.eval()


def look(thing):
    return repr(thing)


def call(function):
    function()


def find_in(holder):
    getattr(holder, "inner", holder).model.eval()


def first_of(things):
    things["model"][0].eval()


def clear(optimizer):
    optimizer.zero_grad()


def clear_all(parameters):
    for each in parameters:
        each.grad = None


def fill_with_zeros(gradients):
    torch._foreach_zero_(gradients)


def divide(gradients, factor):
    torch._foreach_div_(gradients, factor)
"""

TRAINS = """\
import operator
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
import out_of_sight

torch.manual_seed(0)
data = TensorDataset(torch.randn(16, 2), torch.randn(16, 1))
loader, val_loader = DataLoader(data, batch_size=8), DataLoader(data, batch_size=8)
model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(), nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=16.0)


class Holder:
    pass


holder, outer = Holder(), Holder()
holder.model, outer.inner = model, holder


def validate():
    with torch.no_grad():
        for x, y in val_loader:
            total = model(x).sum()


def backward(x, y):
    loss = nn.functional.mse_loss(model(x), y)
    scaler.scale(loss).backward()


for x, y in loader:
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    {clear}
{then}
"""
CLEARED = "optimizer.zero_grad()"
INHERITED = "class Mine(out_of_sight.Evaluator): pass\nmine = Mine(model)\nmine.begin()\nvalidate()"
SCALED = (
    "for x, y in loader:\n    optimizer.zero_grad()\n    backward(x, y)\n    {edit}\n"
    "    nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n    optimizer.step()"
)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], tuple[set[str], set[str]]]]:
    """The rules that the static judge and the run-time judge name, for a script that imports `out_of_sight`."""
    library, scripts = tmp_path_factory.mktemp("library"), tmp_path_factory.mktemp("scripts")
    (library / "out_of_sight.py").write_text(LIBRARY)

    def judge(text: str) -> tuple[set[str], set[str]]:
        script = scripts / f"script{len(list(scripts.iterdir()))}.py"
        script.write_text(text)
        run = runs.of(script)
        assert run.raised is None
        ran = {name for found in testing.audited(run).values() for name, _ in found}
        return {name for name, _ in testing.linted(script, script.read_bytes())}, ran

    with pytest.MonkeyPatch.context() as patch, testing.Runs() as runs:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(library), os.environ.get("PYTHONPATH", "")]))
        yield judge


Judged = Callable[[str], tuple[set[str], set[str]]]


@pytest.mark.parametrize(
    "then",
    [
        "out_of_sight.put_in_eval_mode(model)\nvalidate()",
        "operator.methodcaller('eval')(model)\nvalidate()",
        "out_of_sight.call(model.eval)\nvalidate()",
        "out_of_sight.call(lambda: model.eval())\nvalidate()",
        "out_of_sight.first_of({'model': [model]})\nvalidate()",
        "out_of_sight.find_in(holder)\nvalidate()",
        "out_of_sight.find_in(outer)\nvalidate()",
        "out_of_sight.Evaluator(model).begin()\nvalidate()",
        INHERITED,
    ],
)
def test_a_mode_set_out_of_sight(judged: Judged, then: str) -> None:
    assert judged(TRAINS.format(clear=CLEARED, then=then)) == (set(), set())


@pytest.mark.parametrize(
    "clear",
    [
        "out_of_sight.clear(optimizer)",
        "out_of_sight.clear_all(model.parameters())",
        "out_of_sight.fill_with_zeros([p.grad for p in model.parameters()])",
    ],
)
def test_gradients_cleared_out_of_sight(judged: Judged, clear: str) -> None:
    assert judged(TRAINS.format(clear=clear, then="")) == (set(), set())


def test_gradients_unscaled_out_of_sight(judged: Judged) -> None:
    edit = "out_of_sight.divide([p.grad for p in model.parameters()], scaler.get_scale())"
    assert judged(TRAINS.format(clear=CLEARED, then=SCALED.format(edit=edit))) == (set(), set())


@pytest.mark.parametrize(
    ("clear", "then", "missing"),
    [
        (CLEARED, "out_of_sight.look(model)\nvalidate()", "missing-eval-mode"),
        (CLEARED, "operator.methodcaller('state_dict')(model)\nvalidate()", "missing-eval-mode"),
        ("out_of_sight.look(optimizer)", "", "missing-zero-grad"),
    ],
)
def test_only_the_run_knows_that_nothing_was_done(judged: Judged, clear: str, then: str, missing: str) -> None:
    assert judged(TRAINS.format(clear=clear, then=then)) == (set(), {missing})


@pytest.mark.parametrize(
    ("clear", "then", "missing"),
    [
        (CLEARED, "validate()", {"missing-eval-mode"}),
        ("pass", "", {"missing-zero-grad"}),
        (CLEARED, SCALED.format(edit="pass"), {"clip-scaled-gradients", "optimizer-step-bypasses-scaler"}),
    ],
)
def test_nothing_is_handed_away(judged: Judged, clear: str, then: str, missing: set[str]) -> None:
    assert judged(TRAINS.format(clear=clear, then=then)) == (missing, missing)
