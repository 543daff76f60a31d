"""What the options of a program settle: the module that is imported, the way back from a loader, a test that excludes others."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from twins import names

from loopcheck.cli import program

FILES = {
    "main.py": """\
import argparse

import torch

import trainer

parser = argparse.ArgumentParser()
parser.add_argument("--way", default="plain")
parser.add_argument("--rounds", type=int, default=4)
parser.add_argument("--device", default="cpu")
parser.add_argument("--bare", action="store_true")
parser.add_argument("--resume", action="store_true")

if __name__ == "__main__":
    options = parser.parse_args()
    batches = [(torch.randn(8, 4), torch.randn(8, 4)) for _ in range(4)]
    if options.way == "{way}":
        trainer.train(options, batches)
""",
    "trainer.py": """\
import torch

from helper import prepare
from loader import resume
from models import make_model


def train(args, batches):
    args = prepare(args)
    net = make_model(args)
    of_generator = torch.optim.Adam(net.generator.parameters())
    of_critic = torch.optim.Adam(net.critic.parameters())
    if args.resume:
        net, states = resume(args, net, [of_generator, of_critic])
        of_generator, of_critic = states[0], states[1]
    for epoch in range(3):
        for x, y in batches:
            of_critic.zero_grad()
            for _ in range(args.rounds):
                {again}
                loss, _ = net.loss(x, y, both=True)
                loss.backward()
                of_critic.step()
            of_generator.zero_grad()
            net.judged(x).backward()
            of_generator.step()
""",
    "helper.py": """\
import os


def prepare(args):
    if args.device == "cpu":
        print("Computing on the processor,", os.cpu_count(), "cores")
        args.cores = os.cpu_count()
    else:
        print("Computing on", args.device)
        args.cores = 1
    args.seen = []
    for core in range(args.cores):
        args.seen.append(core)
    print("cores:", args.seen)
    return args
""",
    "loader.py": """\
import torch


def resume(args, net, optimizers):
    checkpoint = torch.load("last.pt")
    net.load_state_dict(checkpoint["net"])
    if args.bare:
        return None
    for each, state in zip(optimizers, checkpoint["optimizers"]):
        each.load_state_dict(state)
    if args.way == "both":
        return net, optimizers, checkpoint
    return net, optimizers
""",
    "models/__init__.py": """\
from importlib import import_module


def make_model(args):
    if args.way == "plain":
        name = "models.plain"
    elif args.way == "gan":
        name = "models.gan"
    module = import_module(name)
    model = module.make(args)
    print("made", name)
    print("of", module)
    if args.device != "cpu":
        model = model.to(args.device)
    return model
""",
    "models/gan.py": """\
import torch
from torch import nn


def make(args):
    return Gan()


class Gan(nn.Module):
    def __init__(self):
        super().__init__()
        self.generator = nn.Linear(4, 4)
        self.critic = nn.Linear(4, 1)

    def loss(self, x, y, both=False):
        fake = self.generator(x).detach()
        loss = torch.mean(self.critic(fake)) - torch.mean(self.critic(y))
        return (loss, loss) if both else loss

    def judged(self, x):
        return -torch.mean(self.critic(self.generator(x)))
""",
    "models/plain.py": """\
from elsewhere import build


def make(args):
    return build(args)
""",
}


def _told(folder: Path, way: str = "gan", again: str = "pass", **instead: str) -> bool:
    (folder / ".git").mkdir()
    for path, text in {**FILES, **{f"{name}.py": text for name, text in instead.items()}}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text.replace("{way}", way).replace("{again}", again))
    arguments = ["check", "--no-cache", "--isolated", "--select", "missing-zero-grad", str(folder)]
    return "missing-zero-grad" in CliRunner().invoke(program, arguments).output


def test_what_is_imported_by_a_name_that_an_option_chooses_is_known_where_the_option_is(tmp_path: Path) -> None:
    assert _told(tmp_path)


def test_the_repaired_one_is_right(tmp_path: Path) -> None:
    assert not _told(tmp_path, again="of_critic.zero_grad()")


def test_of_another_network_nothing_is_known(tmp_path: Path) -> None:
    assert not _told(tmp_path, way="plain")


@pytest.mark.parametrize(
    "returns", ["return dict(args)", "return args if args.cores else None", "args = [args]\n    return args"]
)
def test_options_that_are_not_handed_back_may_be_others(tmp_path: Path, returns: str) -> None:
    assert not _told(tmp_path, helper=FILES["helper.py"].replace("return args", returns))


CHOSEN = """
parser = argparse.ArgumentParser()
parser.add_argument("--way", default="plain")
args = parser.parse_args()
net = nn.Linear(4, 2)
optimizer = {other} if args.way == "plain" else torch.optim.SGD(net.parameters(), lr=0.1)
if args.way == "long":
    for x, y in LOADER:
        {cleared}
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""


def test_what_was_chosen_by_one_value_of_an_option_is_known_under_another() -> None:
    assert "missing-zero-grad" in names(CHOSEN.format(other="vars(args)['made']", cleared="pass"))
    assert "missing-zero-grad" not in names(CHOSEN.format(other="vars(args)['made']", cleared="optimizer.zero_grad()"))
