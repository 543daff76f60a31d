"""A network that a table of functions and classes makes under an unknown key: what all of them agree on is known of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from worth import read

from loopcheck.check import read_source
from loopcheck.loop import Event, events
from loopcheck.read.library import Library

NETWORKS = """\
import sys
import torch
from functools import partial
from torch import nn


class Dropped(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body, self.drop = nn.Linear(8, classes), nn.Dropout(0.5)


class Normed(nn.Module):
    def __init__(self, classes, width=8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.BatchNorm1d(width))


class Plain(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(8, classes)


class _Head(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.out = nn.Sequential(nn.Dropout(0.5), nn.Linear(8, classes))


class Headed(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = _Head(classes)


class DroppedLoss(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body, self.drop = nn.Linear(8, classes), nn.Dropout(0.5)


def loaded(classes, weights=None):
    net = Normed(classes).to("cpu")
    if weights:
        net.load_state_dict(torch.load(weights))
    return net


def handed_on(classes):
    return loaded(classes)


def put_in_eval_mode(classes):
    net = Dropped(classes)
    net.eval()
    return net


def headed(classes):
    net = Dropped(classes)
    net.drop = nn.Identity()
    return net


def either(classes):
    net = Dropped(classes) if classes else Plain(classes)
    return net


def called_like_a_class(Dropped):
    return Dropped(3)


def itself(classes):
    return itself(classes)


def nothing(classes):
    print(classes)


"""


def evaluated(code: str) -> Event | None:
    """The eval mode that the network of a program is put in, if that is one."""
    _, program = read(f"{NETWORKS}{code}\nnet.eval()\n")
    found = [event for event in events(program.entries[0]) if event.verb == "evaluate"]
    return next((event for event in found if event.on and event.on[0].evidence == "built"), None)


@pytest.mark.parametrize(
    ("table", "moded"),
    [
        ("{'a': Dropped, 'b': Normed, 'c': Headed}", True),
        ("{'a': loaded, 'b': handed_on, 'c': partial(Normed, width=16)}", True),
        ("{'a': lambda classes: Normed(classes, width=4), 'b': Dropped}", True),
        ("{'a': Plain, 'b': Plain}", False),
        ("{'a': Dropped, 'b': Plain}", None),
    ],
)
def test_what_all_agree_on(table: str, moded: bool | None) -> None:
    for taken in ("[sys.argv[1]](3)", ".get(sys.argv[1])(3)"):
        event = evaluated(f"net = {table}{taken}")
        assert event is not None
        assert event.facts.get("moded") is moded


@pytest.mark.parametrize(
    "other",
    [
        "put_in_eval_mode",
        "headed",
        "either",
        "called_like_a_class",
        "itself",
        "nothing",
        "DroppedLoss",
        "print",
        "None",
        "nn.Linear",
    ],
)
def test_one_that_is_no_network_or_has_more_done_with_it(other: str) -> None:
    assert evaluated(f"net = {{'a': Dropped, 'b': {other}}}[sys.argv[1]](3)") is None


def test_tables_under_one_key_are_told_apart() -> None:
    made = "name = sys.argv[1]\nfirst, second = {'a': handed_on, 'b': loaded}, {'a': nothing, 'b': itself}\n"
    assert evaluated(f"{made}net = first[name](3)\nother = second[name](3)") is not None
    assert evaluated(f"{made}other = first[name](3)\nnet = second[name](3)") is None
    assert evaluated(f"{made}make, other = first[name], second[name]\nnet = make(3)") is not None


def test_a_part_of_one_that_switches_autograd_is_doubted() -> None:
    """Whether the network leaves a graph is known where no class of the table speaks of it."""
    spared = (
        "class Spared(Dropped):\n    def forward(self, x):\n        with torch.no_grad():\n            return self.body(x)\n\n\n"
    )
    for other, grad in (("Normed", True), ("Spared", None)):
        _, program = read(f"{NETWORKS}{spared}net = {{'a': Dropped, 'b': {other}}}[sys.argv[1]](3)\nnet(sys.argv)\n")
        found = [event.facts.get("grad") for entry in program.entries for event in events(entry) if event.verb == "forward"]
        assert found == [grad]


def test_a_table_of_what_other_files_hand_on(tmp_path: Path) -> None:
    """A file that takes all names of others may have nothing of its own but the table."""
    (tmp_path / "README.md").touch()
    (tmp_path / "networks.py").write_text(NETWORKS)
    (tmp_path / "zoo.py").write_text(
        "from networks import *\n\n\ndef build(name, classes):\n    return {'a': handed_on, 'b': Dropped}[name](classes)\n"
    )
    code = "import sys\n\nfrom zoo import build\n\nnet = build(sys.argv[1], 3)\nnet.eval()\n"
    file = tmp_path / "train.py"
    file.write_text(code)
    program = read_source(code.encode(), str(file), Library())
    told = [event.facts.get("moded") for entry in program.entries for event in events(entry) if event.verb == "evaluate"]
    assert told == [True]
