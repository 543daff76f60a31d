"""Networks that are loaded whole, chosen or made for one more purpose, and are evaluated: each beside its twin that is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from twins import Twin, told

from loopcheck import packs
from loopcheck.check import check_file, check_source
from loopcheck.read.triage import worth_reading
from loopcheck.rule import Confidence

WHOLE = """
class Sampler:
    def __init__(self, given):
        self.{name} = given

    def sample(self, file=None):
        made = []
        for batch in torch.randn(1000, 4).split(4):
            made.append(self.{name}(batch))
        if file:
            torch.cat(made).detach().numpy().tofile(file)
        return None


{first}
Sampler(first).sample("made.bin")
"""
FROZEN = """
from somewhere import build_model, freeze_bn, freeze_model, show

model = {model}
model.load_state_dict(torch.load("model.pt"))
model.eval()
{freezes}
kept = []
for x, y in TEST_LOADER:
    kept.append(model(x).data.numpy())
show(kept)
"""
SMALL = "nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))"
CHOSEN = """
import numpy as np


def main(kind, rows):
    if kind == "wide":
        encoder = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 2))
    else:
        encoder = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    encoder.load_state_dict(torch.load("encoder.pt"))
    encoder.eval()

    {decorator}
    def encode(rows):
        number = len(rows)
        passes = -(-number // 4)
        padded = np.concatenate([rows, rows[:4]], 0)
        codes = []
        for i in range(passes):
            batch = torch.from_numpy(padded[i * 4 : (i + 1) * 4])
            code = {used}(batch)
            codes.append(code.detach().numpy())
        codes = np.concatenate(codes, 0)[:number]
        return codes

    np.save("codes.npy", encode(rows))


main(args.kind, np.load("rows.npy"))
"""
NO_GRAD = "missing-no-grad"
NO_EVAL = "missing-eval-mode"
LATER = """
def make():
    return nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))


net, theirs = make(), make()
theirs.load_state_dict(torch.load("theirs.pt"))
{begins}
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
    {beside}
{ends}
"""
MEASURED = "with torch.no_grad(): print(sum(nn.functional.mse_loss({}(x), y).item() for x, y in LOADER))"
THEIRS = MEASURED.format("theirs")

TWINS: dict[str, Twin] = {
    "a network that a file holds whole, under a name that says nothing": (
        NO_GRAD,
        WHOLE,
        {"name": "maker", "first": 'with torch.no_grad():\n    first = torch.load("all.pt")\ntorch.set_grad_enabled(False)'},
        {"name": "maker", "first": 'first = torch.load("all.pt")'},
    ),
    "a network that a file holds whole, put on the device": (
        NO_GRAD,
        WHOLE,
        {"name": "maker", "first": 'first = torch.load("all.pt").to("cuda")\ntorch.set_grad_enabled(False)'},
        {"name": "maker", "first": 'first = torch.load("all.pt").to("cuda")'},
    ),
    "a network of a file that options name": (
        NO_GRAD,
        WHOLE,
        {"name": "maker", "first": "first = torch.load(args.file)\ntorch.set_grad_enabled(False)"},
        {"name": "maker", "first": "first = torch.load(args.file)"},
    ),
    "an entry of a file may be a function": (
        NO_GRAD,
        WHOLE,
        {"name": "maker", "first": 'first = torch.load("all.pt")["augment"]'},
        {"name": "maker", "first": 'first = torch.load("all.pt")'},
    ),
    "an entry that is asked for may be a function": (
        NO_GRAD,
        WHOLE,
        {"name": "maker", "first": 'first = torch.load("all.pt").get("augment")'},
        {"name": "maker", "first": 'first = torch.load("all.pt").eval()'},
    ),
    "what prepares inputs is kept in files, too": (
        NO_GRAD,
        WHOLE,
        {"name": "vocab", "first": 'first = torch.load("all.pt")'},
        {"name": "maker", "first": 'first = torch.load("all.pt")'},
    ),
    "what prepares inputs, by the name that it has first": (
        NO_GRAD,
        WHOLE.replace("(first)", "({of})").replace("{first}", "{of} = torch.load('all.pt')"),
        {"name": "maker", "of": "transform"},
        {"name": "maker", "of": "first"},
    ),
    "a function out of sight freezes the network": (
        NO_GRAD,
        FROZEN,
        {"model": SMALL, "freezes": "freeze_model(model)"},
        {"model": SMALL, "freezes": "freeze_bn(model)"},
    ),
    "a method out of sight freezes the network": (
        NO_GRAD,
        FROZEN,
        {"model": "build_model()", "freezes": "model.freeze_head_and_trunk()"},
        {"model": "build_model()", "freezes": "model.freeze_trunk()"},
    ),
    "a method out of sight freezes the parameters": (
        NO_GRAD,
        FROZEN,
        {"model": "build_model()", "freezes": "model.freeze_parameters()"},
        {"model": "build_model()", "freezes": "model.unfreeze_parameters()"},
    ),
    "what is called with data and is no network": (
        NO_GRAD,
        WHOLE,
        {"name": "tokenizer", "first": 'first = torch.load("all.pt")'},
        {"name": "maker", "first": 'first = torch.load("all.pt")'},
    ),
    "another function reads the file": (
        NO_GRAD,
        WHOLE,
        {"name": "maker", "first": 'import joblib\nfirst = joblib.load("all.pt")'},
        {"name": "maker", "first": 'first = torch.load("all.pt")'},
    ),
    "a function within another applies one of several networks": (
        NO_GRAD,
        CHOSEN,
        {"decorator": "@torch.no_grad()", "used": "encoder"},
        {"decorator": "", "used": "encoder"},
    ),
    "another network, once training is over": (
        NO_EVAL,
        LATER,
        {"begins": "theirs.eval()", "beside": "pass", "ends": THEIRS},
        {"begins": "pass", "beside": "pass", "ends": THEIRS},
    ),
    "another network that is trained as well": (
        NO_EVAL,
        LATER.replace("nn.functional.mse_loss(net(x), y)", "nn.functional.mse_loss({of}(x), y)"),
        {"of": "theirs", "begins": "pass", "beside": "pass", "ends": f"theirs.train()\n{THEIRS}"},
        {"of": "theirs", "begins": "pass", "beside": "pass", "ends": THEIRS},
    ),
    "another network that is a part of what is trained": (
        NO_EVAL,
        LATER,
        {"begins": "net = nn.Sequential(net, theirs)", "beside": "pass", "ends": f"net.train()\n{THEIRS}"},
        {"begins": "net = nn.Sequential(net, theirs)", "beside": "pass", "ends": THEIRS},
    ),
    "another network of which an optimizer has the parameters": (
        NO_EVAL,
        LATER.replace("Adam(net.parameters())", "Adam([*net.parameters(), *{of}.parameters()])"),
        {"of": "theirs", "begins": "pass", "beside": "pass", "ends": THEIRS},
        {"of": "net", "begins": "pass", "beside": "pass", "ends": THEIRS},
    ),
    "a network that training itself looks at": (
        NO_EVAL,
        LATER,
        {"begins": "pass", "beside": "with torch.no_grad(): print(theirs(x).argmax(1))", "ends": "pass"},
        {"begins": "pass", "beside": "with torch.no_grad(): print(theirs(x).argmax(1))", "ends": THEIRS},
    ),
    "a network that is looked at before training": (
        NO_EVAL,
        LATER,
        {"begins": THEIRS, "beside": "pass", "ends": "pass"},
        {"begins": "pass", "beside": "pass", "ends": THEIRS},
    ),
    "a network without weights of its own, once training is over": (
        NO_EVAL,
        LATER,
        {"begins": "theirs = make()", "beside": "pass", "ends": THEIRS},
        {"begins": "pass", "beside": "pass", "ends": THEIRS},
    ),
    "another network of whose outputs no numbers are taken": (
        NO_EVAL,
        LATER,
        {"begins": "pass", "beside": "pass", "ends": "with torch.no_grad():\n    for x, y in LOADER: theirs(x)"},
        {"begins": "pass", "beside": "pass", "ends": THEIRS},
    ),
    "a function within another applies what is no network": (
        NO_GRAD,
        CHOSEN,
        {"decorator": "", "used": "nn.functional.relu"},
        {"decorator": "", "used": "encoder"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_only_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


CALLED = """\
import torch

{name} = torch.load("whole.pt")
{mode}
means = []
for rows in torch.randn(1000, 4).split(4):
    means.append({name}(rows).mean().item())
print(sum(means))
"""


@pytest.mark.parametrize(
    ("name", "mode", "confidence"),
    [
        ("encoder", "", Confidence.HIGH),
        ("augment", "augment.eval()", Confidence.HIGH),
        ("augment", "", Confidence.MEDIUM),  # a function can be kept in a file, too
    ],
)
def test_what_a_whole_file_holds_is_surely_a_network_by_more_than_its_call(name: str, mode: str, confidence: Confidence) -> None:
    [finding] = check_source(CALLED.format(name=name, mode=mode).encode(), "means.py", packs.rules()).findings
    assert (finding.rule.name, finding.confidence) == (NO_GRAD, confidence)


CLIP = """\
import json

from transformers import {network}

net = {network}.from_pretrained("somebody/clip")
best = []
for words, image in json.load(open("pairs.json")):
    scores = net(words, image).logits.softmax(dim=1)[0]
    best.append([words[i] for i in scores.topk(4).indices])
{after}json.dump(best, open("best.json", "w"))
"""


@pytest.mark.parametrize(
    ("network", "after", "told"),
    [
        ("CLIPModel", "", True),
        ("BertForQuestionAnswering", "", True),
        ("CLIPTokenizer", "", False),
    ],
)
def test_a_file_is_read_that_has_a_network_of_a_library_and_says_no_word_of_training(
    network: str, after: str, told: bool
) -> None:
    program = CLIP.format(network=network, after=after).encode()
    assert worth_reading(program) == told
    assert [each.rule.name for each in check_source(program, "best.py", packs.rules()).findings] == [NO_GRAD] * told


LOADED = """\
import argparse

import torch
from making import Sampler

opt = argparse.ArgumentParser().parse_args()
print(opt)
Sampler({first}).sample("made.bin")
"""
MAKING = """\
import torch


class Sampler:
    def __init__(self, generator):
        self.generator = generator

    def sample(self, file=None):
        made = []
        for batch in torch.randn(1000, 4).split(4):
            made.append(self.generator(batch))
        made = torch.cat(made)
        if {asked}:
            made.detach().numpy().tofile(file)
        else:
            return made
"""


@pytest.mark.parametrize(
    ("first", "asked", "wrong"),
    [
        ('torch.load("all.pt")', "file", True),
        ("torch.load(opt.network)", "file", True),
        ('torch.load("all.pt")', "not file", False),  # who asks has the graph
        ("print", "file", False),
    ],
)
def test_who_hands_what_is_in_a_whole_file_to_a_class_of_another_one(tmp_path: Path, first: str, asked: str, wrong: bool) -> None:
    (tmp_path / "making.py").write_text(MAKING.format(asked=asked))
    (tmp_path / "make.py").write_text(LOADED.format(first=first))
    report = check_file(tmp_path / "make.py", packs.rules())
    high = [each.rule.name for each in report.findings if each.confidence is Confidence.HIGH]
    assert high == [NO_GRAD] * wrong


BORROWED = """\
import torch
from torch.autograd import Variable


def features(net, images):
    return net(Variable(images, volatile=True)).data
"""
MEASURES = """\
import torch
from torch import nn

import fid

device = {device}
net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))
net.load_state_dict(torch.load("net.pt"))
net.eval()
for rows in torch.load("rows.pt"):
    print(net(rows).detach().numpy())
"""


@pytest.mark.parametrize(("device", "wrong"), [("torch.device('cuda')", True), ("0", False), ("torch.cuda.device(0)", False)])
def test_one_file_is_of_an_old_program_and_the_program_is_not(tmp_path: Path, device: str, wrong: bool) -> None:
    (tmp_path / "fid.py").write_text(BORROWED)
    (tmp_path / "measure.py").write_text(MEASURES.format(device=device))
    report = check_file(tmp_path / "measure.py", packs.rules())
    assert (NO_GRAD in {each.rule.name for each in report.findings}) == wrong
