"""Checkpoints of a class that trains, written by whoever has an object of it: what they lack is told where they are
written, and that each is written over the one before."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.check import check_file, check_source, read_source
from loopcheck.loop import events

TRAINER = """\
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, gan, dataset, lr=3e-4):
        self.gan = gan
        self.optim = torch.optim.Adam(gan.generator.parameters(), lr=lr)
        self.discr_optim = torch.optim.Adam(gan.discriminator.parameters(), lr=lr)
        self.loader = DataLoader(dataset, batch_size=8, shuffle=True)

    def save(self, path):
        package = dict(model=self.gan.state_dict(), discr_optim=self.discr_optim.state_dict())
        {more}
        torch.save(package, path)

    def load(self, path):
        package = torch.load(path)
        self.gan.load_state_dict(package["model"])

    def train(self, epochs):
        for _ in range(epochs):
            for x in self.loader:
                loss = self.gan(x)
                loss.backward()
                self.optim.step()
                self.optim.zero_grad()
                loss = self.gan(x, discriminate=True)
                loss.backward()
                self.discr_optim.step()
                self.discr_optim.zero_grad()
"""
DRAWN = """
    def draw(self, path):
        torch.save(self.gan(torch.randn(4)), path)
"""
RESET = """
    def reset(self):
        self.optim.zero_grad()
"""
APART = """
    def save_generator(self, path):
        torch.save(self.optim.state_dict(), path)
"""


def told(program: str) -> list[str]:
    rules = [rule for rule in packs.rules() if rule.code == "LC901"]
    return [finding.message for finding in check_source(program.encode(), "trainer.py", rules).findings]


@pytest.mark.parametrize("besides", ["", DRAWN])
def test_what_the_class_trains_and_leaves_out_is_told(besides: str) -> None:
    (message,) = told(TRAINER.replace("{more}", "pass") + besides)
    assert "leaves out `self.optim`" in message


@pytest.mark.parametrize("more", ["package['optim'] = self.optim.state_dict()", "package[self.name] = self.optim.state_dict()"])
def test_what_it_puts_in_under_any_key_is_there(more: str) -> None:
    assert not told(TRAINER.replace("{more}", more))


def test_a_state_under_a_key_that_nobody_knows_leaves_the_others_there() -> None:
    assert told(TRAINER.replace("{more}", "package[self.name] = self.gan.encoder.state_dict()"))


def test_what_another_method_writes_is_written() -> None:
    assert not told(TRAINER.replace("{more}", "pass") + APART)


def test_what_writes_nothing_does_not_come_after_the_training() -> None:
    program = TRAINER.replace("{more}", "pass") + RESET
    (entry,) = [each for each in read_source(program.encode(), "trainer.py").entries if each.of == "Trainer.train"]
    assert [event.verb for event in events(entry) if event.at.row > program[: program.index("def reset")].count("\n")] == []
    assert any(event.verb == "save" for event in events(entry))


def test_a_class_that_trains_nothing_leaves_nothing_out() -> None:
    assert not told(TRAINER.replace("{more}", "pass").replace(".step()", ".state_dict()"))


LEARNER = """\
import os
import torch
from torch import nn


class Learner:
    def __init__(self, options):
        self.options = options
        self.count = 0
        self.net = nn.Linear(options["width"], 1)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=options["lr"])
        if os.path.isfile(options["file"]):
            self.load(options["file"])

    def load(self, path):
        state = torch.load(path)
        self.net.load_state_dict(state["net"])
        self.optim.load_state_dict(state["optim"])

    def save(self, path=None):
        path = self.options.get("file") if path is None else path
        torch.save({"net": self.net.state_dict(), "optim": self.optim.state_dict()}, path)

    def update(self, x, y):
        self.optim.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.optim.step()
"""
HEAD = "def save(self, path=None):"
ASKED = """

def main(make, batches):
    learner = make()
    for x, y in batches:
        learner.update(x, y)
    learner.save()
"""
SAVED_INSIDE = """
    def close(self):
        self.save()
"""
OWN_LOOP = LEARNER.replace("def update(self, x, y):", "def fit(self, x, y):").replace(
    "        loss.backward()\n        self.optim.step()",
    "        for _ in range(9):\n            loss.backward()\n            self.optim.step()",
)
OPTIONAL = """\
        found = {}
        if hasattr(self, "net"):
            if self.wrapped:
                found["net"] = self.net.module.state_dict()
            else:
                found["net"] = self.net.state_dict()
        if hasattr(self, "optim"):
            found["optim"] = self.optim.state_dict()
        if self.options["seed"]:
            found["seed"] = self.options["seed"]
        if self.schedule:
            found["schedule"] = self.schedule.say()
        if found:
            torch.save(found, path)
"""


def over(file: Path, program: str) -> list[str]:
    file.write_text(program, encoding="utf-8")
    return [each.message for each in check_file(file, [rule for rule in packs.rules() if rule.code == "LC902"]).findings]


@pytest.mark.parametrize(
    "program",
    [
        LEARNER,
        LEARNER.replace(HEAD, "def save(self, path=None, best=False):")
        .replace('get("file")', 'get("best")) if best else "last.pt"')
        .replace("path = self", "path = (self")
        .replace(" if path is None else path", ""),
        LEARNER.replace(HEAD, "def save(self, path='last.pt'):"),
        LEARNER.replace(HEAD, "def save(self, epoch, path=None):"),
        LEARNER[: LEARNER.index("        torch.save")] + OPTIONAL + LEARNER[LEARNER.index("\n    def update") :],
    ],
)
def test_what_a_class_knows_the_file_of_is_written_over(program: str, tmp_path: Path) -> None:
    (message,) = over(tmp_path / "learner.py", program)
    assert "writes over the checkpoint" in message


@pytest.mark.parametrize(
    "program",
    [
        LEARNER.replace(HEAD, "def save(self, path):"),
        LEARNER.replace(HEAD, "def save(self, path=None, tag=0):").replace("}, path)", '}, f"{path}.{tag}")'),
        LEARNER.replace("}, path)", '}, f"{path}.{self.count}")') + "        self.count += 1\n",
        LEARNER.replace("}, path)", "}, self.path)") + '        self.path = f"{y.sum()}.pt"\n',
        LEARNER.replace("torch.load", "open"),
        LEARNER + ASKED,
        LEARNER + SAVED_INSIDE,
        OWN_LOOP,
    ],
)
def test_of_what_others_say_or_do_once_nothing_is_told(program: str, tmp_path: Path) -> None:
    assert not over(tmp_path / "learner.py", program)


@pytest.mark.parametrize("asks", [False, True])
def test_who_imports_a_class_may_be_seen_to_write_it_once(asks: bool, tmp_path: Path) -> None:
    user = f"from learner import Learner\n{ASKED if asks else ASKED.replace('learner.save()', 'pass')}"
    (tmp_path / "main.py").write_text(user.replace("make()", "Learner({})"), encoding="utf-8")
    again = (
        "    def update_twice(self, x, y):\n        for _ in (1, 2):\n            self.update(x, y)\n        self.optim.step()\n"
    )
    assert bool(over(tmp_path / "learner.py", f"{LEARNER}\n{again}")) is not asks


def test_what_an_abstract_class_writes_is_trained_by_what_derives_from_it(tmp_path: Path) -> None:
    made = LEARNER[LEARNER.index("        self.net =") : LEARNER.index("    def load")]
    trained = LEARNER[LEARNER.index("    def update") :]
    base = LEARNER.replace(made, "\n").replace(trained, "    def update(self, x, y):\n        pass\n")
    derived = "import os\nimport torch\nfrom torch import nn\nfrom base import Learner\n\n\nclass Linear(Learner):\n"
    derived += f"    def __init__(self, options):\n        super().__init__(options)\n{made}{trained}"
    assert not over(tmp_path / "base.py", base)
    (tmp_path / "derived.py").write_text(derived, encoding="utf-8")
    (message,) = over(tmp_path / "base.py", base)
    assert "writes over the checkpoint" in message
