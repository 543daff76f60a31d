"""What a script has a framework do with a class, and what it leaves out: programs of which one is right."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source

SCRIPT = """
import pytorch_lightning as pl
import torch
from deepspeed.utils.zero_to_fp32 import load_state_dict_from_zero_checkpoint
from lab import held_out, loader
from torch import nn
from torch.nn import functional as F


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.net = nn.Linear(4, 2)

    def training_step(self, batch, number):
        loss = F.cross_entropy(self.net(batch[0]), batch[1])
        self.manual_backward(loss / 4)
        if number % 4 == 0:
            optimizer = self.optimizers()
            optimizer.zero_grad()
            optimizer.step()

    def {hook}:
        marks = self.net(batch[0])
        self.log("loss", F.cross_entropy({marks}, batch[1]))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


if __name__ == "__main__":
    net = {net}
    trainer = pl.Trainer(max_epochs=3)
    trainer.{run}
"""


def told(code: str, **lines: str) -> bool:
    given = {"hook": "test_step(self, batch, number)", "marks": "marks", "net": "Net()", "run": "test(net, held_out)", **lines}
    rules = [rule for rule in packs.rules() if rule.code == code]
    return bool(check_source(dedent(SCRIPT).format(**given).encode(), "train.py", rules).findings)


@pytest.mark.parametrize("net", ["Net()", 'load_state_dict_from_zero_checkpoint(Net(), "last.ckpt")'])
@pytest.mark.parametrize(("run", "wrong"), [("test(net, held_out)", False), ("fit(net, loader)", True)])
def test_training_is_left_out_where_a_script_only_tests(net: str, run: str, wrong: bool) -> None:
    assert told("LC104", net=net, run=run) is wrong


def test_a_class_that_the_script_makes_nothing_of_is_trained_by_another() -> None:
    assert told("LC104", net="None", run="tune(net)")


@pytest.mark.parametrize("name", ["validation", "test"])
@pytest.mark.parametrize("asked", ["batch, number", "batch, number, which", "batch, number, which=0", "batch"])
@pytest.mark.parametrize(("marks", "wrong"), [("marks", False), ("F.softmax(marks, dim=1)", True)])
def test_a_hook_is_given_what_it_asks_for(name: str, asked: str, marks: str, wrong: bool) -> None:
    run = {"validation": "validate(net, held_out)", "test": "test(net, held_out)"}[name]
    assert told("LC801", hook=f"{name}_step(self, {asked})", marks=marks, run=run) is wrong
