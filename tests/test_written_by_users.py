"""Checkpoints of a class that trains, written by whoever has an object of it: what they lack is told where they are written."""

from __future__ import annotations

import pytest

from loopcheck import packs
from loopcheck.check import check_source, read_source
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
