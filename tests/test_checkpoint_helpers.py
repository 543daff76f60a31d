"""Checkpoints that functions of other files write and read: whose they are, and where it is told what they lack."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from loopcheck.cli import program

Run = Callable[..., Result]

HELPERS = """\
import os

import torch


def save_checkpoint(state, directory, name):
    if not os.path.isdir(directory):
        os.makedirs(directory)
    file = os.path.join(directory, name + ".pth")
    torch.save(state, file)


def load_checkpoint(file):
    if not os.path.exists(file):
        raise OSError(file)
    if os.path.isdir(file):
        file = os.path.join(file, "last.pth")
    size = os.path.getsize(file)
    print("reads", file)
    print("of", size, "bytes")
    checkpoint = torch.load(file)
    print("of epoch", checkpoint["epoch"])
    return checkpoint
"""
TRAIN = """\
import torch
from torch import nn
from torch.utils.data import DataLoader

from helpers import load_checkpoint, save_checkpoint


def main(args, data):
    model = nn.Linear(4, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    start = 0
    if args.load is not None:
        checkpoint = load_checkpoint(args.load)
        model.load_state_dict(checkpoint["state_dict"])
        start = checkpoint["epoch"]
    for epoch in range(start, args.epochs):
        for x in DataLoader(data):
            optimizer.zero_grad()
            loss = model(x).mean()
            loss.backward()
            optimizer.step()
        save_checkpoint({"epoch": epoch + 1, "state_dict": model.state_dict()}, args.save, f"epoch-{epoch}")
"""
MADE_ROW, SAVED_ROW = 10, 22
WHOLE = TRAIN.replace(
    '        start = checkpoint["epoch"]\n',
    '        optimizer.load_state_dict(checkpoint["optimizer"])\n        start = checkpoint["epoch"]\n',
).replace('"state_dict": model.state_dict()}', '"state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}')

ALL_OF_IT = """\
import os

import torch


def save_checkpoint(model, epoch, directory):
    if not os.path.isdir(directory):
        os.makedirs(directory)
    file = os.path.join(directory, f"epoch-{epoch}.pth")
    state = {"epoch": epoch, "state_dict": model.state_dict()}
    torch.save(state, file)


def load_checkpoint(model, file):
    checkpoint = torch.load(file)
    model.load_state_dict(checkpoint["state_dict"])
    return checkpoint["epoch"] + 1
"""
HANDS_OVER = TRAIN.replace(
    """\
        checkpoint = load_checkpoint(args.load)
        model.load_state_dict(checkpoint["state_dict"])
        start = checkpoint["epoch"]
""",
    "        start = load_checkpoint(model, args.load)\n",
).replace(
    'save_checkpoint({"epoch": epoch + 1, "state_dict": model.state_dict()}, args.save, f"epoch-{epoch}")',
    "save_checkpoint(model, epoch, args.save)",
)
HANDED_ROW = 20


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Call the command line in an empty repository."""
    monkeypatch.chdir(tmp_path)
    Path(".git").mkdir()
    select = ("--select", "incomplete-checkpoint", "--output-format", "json")

    def call(*arguments: str) -> Result:
        return CliRunner().invoke(program, (*select, *arguments), prog_name="loopcheck", catch_exceptions=False)

    return call


def write(**files: str) -> None:
    for name, text in files.items():
        Path(f"{name}.py").write_text(text)


def told(run: Run, *asked: str) -> list[tuple[str, int]]:
    return [(Path(each["filename"]).name, each["location"]["row"]) for each in json.loads(run(*asked).stdout)]


def around(run: Run, *asked: str) -> list[tuple[str, int, str]]:
    (entry,) = json.loads(run(*asked).stdout)
    return [(Path(each["filename"]).name, each["location"]["row"], each["message"]) for each in entry["related"]]


@pytest.mark.parametrize("asked", ["train.py", "."])
def test_a_file_of_helpers_is_followed(run: Run, asked: str) -> None:
    write(helpers=HELPERS, train=TRAIN)
    assert told(run, asked) == [("train.py", SAVED_ROW)]


def test_what_helpers_write_and_read_whole_is_complete(run: Run) -> None:
    write(helpers=HELPERS, train=WHOLE)
    assert told(run, ".") == []


def test_it_is_told_where_the_checkpoint_is_put_together(run: Run) -> None:
    write(helpers=HELPERS, train=TRAIN, finetune=TRAIN, whole=WHOLE)
    assert told(run, ".") == [("finetune.py", SAVED_ROW), ("train.py", SAVED_ROW)]


@pytest.mark.parametrize("asked", ["train.py", "."])
def test_what_ends_in_a_file_of_helpers_is_told_where_they_are_called(run: Run, asked: str) -> None:
    write(helpers=ALL_OF_IT, train=HANDS_OVER)
    assert told(run, asked) == [("train.py", HANDED_ROW)]
    assert around(run, asked) == [("helpers.py", 11, "save"), ("train.py", MADE_ROW, "build")]


def test_where_that_was_made_which_is_left_out_is_shown(run: Run) -> None:
    decays = "    decay = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)\n    start = 0\n"
    write(train=TRAIN.replace("    start = 0\n", decays) + "        decay.step()\n", helpers=HELPERS)
    assert around(run, ".") == [("helpers.py", 10, "save"), ("train.py", MADE_ROW, "build"), ("train.py", MADE_ROW + 1, "build")]


@pytest.mark.parametrize("word", ["optim", "scheduler"])
def test_a_word_of_training_in_it_makes_no_training_code_of_helpers(run: Run, word: str) -> None:
    write(
        helpers=f"{ALL_OF_IT}# of what an {word} has learned\n", train=HANDS_OVER, start="import train\n\ntrain.main(None, [1])\n"
    )
    assert told(run, ".") == [("train.py", HANDED_ROW)]


def test_what_helpers_of_training_write_is_told_in_their_own_file(run: Run) -> None:
    steps = "\n\ndef update(optimizer):\n    optimizer.step()\n"
    uses = HANDS_OVER.replace("import load_checkpoint, save", "import load_checkpoint, update, save").replace(
        "optimizer.step()", "update(optimizer)"
    )
    write(helpers=ALL_OF_IT + steps, train=uses)
    assert told(run, ".") == [("helpers.py", 11)]
