"""Objects that are made when another file is imported: what is done with them is told where it is done."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from loopcheck import packs
from loopcheck.check import check_file
from loopcheck.cli import program

MODEL = """\
from transformers import BertForTokenClassification

net = BertForTokenClassification.from_pretrained("bert-base-uncased", num_labels=7)
{then}

def get_model():
    return net
"""
TRAIN = """\
import torch
from model import get_model

net = get_model()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-4)


def train(loader):
    for batch in loader:
        optimizer.zero_grad()
        loss = net(input_ids=batch["ids"], labels=batch["labels"])[0]
        loss.backward()
        optimizer.step()
"""
BACKWARD = 12
MAIN = """\
from data import loader
from train import train

train(loader)
"""
SCRIPT = f"""\
{TRAIN.replace("from model import get_model", "from model import net").replace("net = get_model()", "")}

train(torch.utils.data.DataLoader(list(range(8)), shuffle=True))
"""


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(then: str = "", **files: str) -> None:
    for name, text in {"model": MODEL.format(then=then), **files}.items():
        Path(f"{name}.py").write_text(text, encoding="utf-8")


def places(*asked: str, code: str = "LC604") -> list[tuple[str, int]]:
    rules = [rule for rule in packs.rules() if rule.code == code]
    reports = [check_file(Path(name), rules) for name in asked]
    return [(each.primary.path, each.primary.row) for report in reports for each in report.findings]


@pytest.mark.parametrize(("then", "wrong"), [("", True), ("net.train()", False)])
def test_a_network_in_eval_mode_is_told_where_it_is_trained(told: Path, then: str, wrong: bool) -> None:
    write(then, train=TRAIN, main=MAIN)
    assert places("model.py", "train.py", "main.py") == ([("train.py", BACKWARD)] if wrong else [])


def test_who_trains_it_in_the_script_itself_is_told(told: Path) -> None:
    write(script=SCRIPT)
    assert places("script.py") == [("script.py", BACKWARD)]


def test_two_scripts_have_one_defect(told: Path) -> None:
    write(script=SCRIPT, another=SCRIPT)
    shown = CliRunner().invoke(program, ["check", "--no-cache", "--jobs", "1", "--select", "LC604", "."])
    assert "the defect is in model.py:3, reached from here" in shown.output
    assert "Found 1 bug in 1 of 3 files" in shown.output


ENGINE = """\
from torch.nn.functional import mse_loss


def update(net, optimizer, x, y):
    optimizer.zero_grad()
    mse_loss(net(x), y).backward()
    optimizer.step()
"""
CLIPS = """\
import torch
from engine import update

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader(list(range(8)), shuffle=True):
    update(net, optimizer, x, y)
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
"""


def test_what_a_script_does_is_not_told_in_the_files_that_it_calls(told: Path) -> None:
    write(engine=ENGINE, main=CLIPS)
    assert places("engine.py", "main.py", code="LC101") == [("main.py", 8)]


DATA = """\
import catalogue
import torch


def settings():
    global SETTINGS
    if SETTINGS is None:
        SETTINGS = catalogue.settings()
    return SETTINGS


def rows():
    return settings().get("rows")


SETTINGS = None
SOURCE = catalogue.Source(rows)


def loader():
    return torch.utils.data.DataLoader(SOURCE, 8)


def update(net, loss, optimizer):
    loss.backward()
    optimizer.step()
"""
TESTS = """\
import torch
from data import loader
from torch import nn

net = nn.Linear(4, 2)


def main():
    held_out = loader()
    net.load_state_dict(torch.load("net.pt"))
    net.eval()
    wrong = 0
    for x, y in held_out:
        wrong += (net(x).argmax(1) != y).sum().item()
    print(wrong)


main()
"""


def test_autograd_is_as_it_was_when_a_file_is_imported_in_the_middle_of_a_summary(told: Path) -> None:
    write(data=DATA, test=TESTS)
    assert places("test.py", code="LC602") == [("test.py", 14)]


FACTORY = """\
def create_model(name):
    if name in ["plain"]:
        from .plain import Plain as Model
    else:
        raise NotImplementedError(name)
    return Model()
"""
PLAIN = """\
import torch
from torch import nn


class Plain:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def load(self):
        self.net.load_state_dict(torch.load("net.pt"))
        self.net.eval()

    def forward(self, x):
        self.out = self.net(x)

    def optimize(self, x, y):
        self.forward(x)
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.out, y).backward()
        self.optimizer.step()
"""
TRAINS = """\
import torch
from models import create_model

model = create_model("plain")
for x, y in torch.utils.data.DataLoader(range(9), shuffle=True):
    model.optimize(x, y)
"""
TESTED = """\
import torch
from models import create_model


def main():
    model = create_model("plain")
    model.load()
    test_loader = torch.utils.data.DataLoader(range(9))
    wrong = 0
    for x, y in test_loader:
        model.forward(x)
        wrong += (model.out.argmax(1) != y).sum().item()
    print(wrong)


{runs}
"""
RUN = 'if __name__ == "__main__":\n    main()'


@pytest.mark.parametrize(("runs", "own"), [(RUN, True), ("def test_main():\n    main()", False)])
def test_what_a_package_makes_is_told_in_the_script_that_tests_it(told: Path, runs: str, own: bool) -> None:
    """The pass of the script goes through a method that training comes to as well, of a class that it does not know by name."""
    Path(".git").mkdir()
    Path("models").mkdir()
    Path("models/__init__.py").write_text(FACTORY)
    Path("models/plain.py").write_text(PLAIN)
    write(train=TRAINS, test_plain=TESTED.format(runs=runs))
    for asked, place in ((".", "test_plain.py"), ("models/plain.py", "models/plain.py")):
        result = CliRunner().invoke(program, ["check", "--select", "LC602", "--output-format", "concise", asked])
        found = [line.partition(":")[0] for line in result.stdout.splitlines() if "LC602" in line]
        assert found == ([place] if own else [])
