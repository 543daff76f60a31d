"""Programs that a fix could break, mended by the built-in rules: what comes of them, and what is left for a person."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from loopcheck import packs
from loopcheck.check import check_file, check_source
from loopcheck.job import Job, work
from loopcheck.write.apply import Mended, mend

HEAD = """\
import os
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, TensorDataset

FLAG = "NO" not in os.environ
x, y = torch.randn(16, 4), torch.randint(0, 3, (16,))
dataset = TensorDataset(x, y)
model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = DataLoader(dataset, batch_size=4, shuffle=True)
scaler = torch.amp.GradScaler("cpu")
"""


def mended(program: str, unsafe: bool = False) -> Mended:
    return mend((HEAD + dedent(program)).encode(), "train.py", packs.rules(), unsafe=unsafe)


STEP = """\
optimizer.zero_grad()
F.cross_entropy(model(a), b).backward()
optimizer.step()
"""


def epochs(sampler: str, loop: str = "for epoch in range(3):") -> str:
    """A program that makes its sampler like this."""
    made = f"{dedent(sampler)}\nloader = DataLoader(dataset, batch_size=4, sampler=sampler)\n"
    return f"{made}{loop}\n    for a, b in loader:\n{indent(STEP, ' ' * 8)}"


TOLD = {
    "a sampler that is there": ("sampler = DistributedSampler(dataset)", "sampler.set_epoch(epoch)"),
    "one that may be None": (
        "sampler = DistributedSampler(dataset) if FLAG else None",
        "if sampler is not None:\n        sampler.set_epoch(epoch)",
    ),
    "one of two kinds": (
        "sampler = DistributedSampler(dataset) if FLAG else RandomSampler(dataset)",
        'if hasattr(sampler, "set_epoch"):\n        sampler.set_epoch(epoch)',
    ),
}


@pytest.mark.parametrize(("sampler", "told"), TOLD.values(), ids=TOLD)
def test_a_sampler_is_told_on_every_path(sampler: str, told: str) -> None:
    after = mended(epochs(sampler))
    assert f"for epoch in range(3):\n    {told}\n    for a, b" in after.data.decode()
    assert not after.report.findings


def test_a_sampler_in_a_dict_is_told_by_its_key() -> None:
    samplers = 'samplers = {each: DistributedSampler(dataset) for each in ("train", "val")}\n'
    loader = 'loader = DataLoader(dataset, batch_size=4, sampler=samplers["train"])\n'
    after = mended(f"{samplers}{loader}for epoch in range(3):\n    for a, b in loader:\n{indent(STEP, ' ' * 8)}")
    assert 'for epoch in range(3):\n    samplers["train"].set_epoch(epoch)\n    for a, b' in after.data.decode()
    assert not after.report.findings


def test_the_sampler_of_one_of_two_loaders_is_told_where_it_can_be() -> None:
    made = "    sampler = DistributedSampler(dataset)\n    loader = DataLoader(dataset, batch_size=4, sampler=sampler)\n"
    choice = f"if FLAG:\n{made}else:\n    loader = [(x, y)]\n"
    after = mended(f"{choice}for epoch in range(3):\n    for a, b in loader:\n{indent(STEP, ' ' * 8)}")
    told = 'if hasattr(getattr(loader, "sampler", None), "set_epoch"):\n        loader.sampler.set_epoch(epoch)'
    assert f"for epoch in range(3):\n    {told}\n    for a, b" in after.data.decode()
    assert not after.report.findings


def test_a_counter_of_a_named_range_gets_a_name() -> None:
    made = "sampler = DistributedSampler(dataset)\ncounted = trange(3)"
    after = mended("from tqdm import trange\n" + epochs(made, "for _ in counted:"))
    assert "for epoch in counted:\n    sampler.set_epoch(epoch)\n" in after.data.decode()


def test_a_counter_without_a_name_gets_one() -> None:
    after = mended(epochs("sampler = DistributedSampler(dataset)", "for _ in range(3):"))
    assert "for epoch in range(3):\n    sampler.set_epoch(epoch)\n" in after.data.decode()
    other = mended("epoch = 'mine'\n" + epochs("sampler = DistributedSampler(dataset)", "for _ in range(3):"))
    assert "for epoch_index in range(3):\n    sampler.set_epoch(epoch_index)\n" in other.data.decode()


@pytest.mark.parametrize(
    "loop", ["for _ in range(3):\n  print(_)\n  for _ in range(1):", "for _ in [1, 2]:", "for _ in range(3):\n    print(_)"]
)
def test_a_counter_that_is_used_or_counts_something_else_gets_none(loop: str) -> None:
    after = mended(epochs("sampler = DistributedSampler(dataset)", loop))
    assert not after.applied


RESTARTED = """
def train(epochs, steps):
    for epoch in range(epochs):
        {before}
        for step in range(steps):
            try:
                a, b = next(batches)
            except StopIteration:
                {within}
                a, b = next(batches)
            {step}

sampler = DistributedSampler(dataset)
loader = DataLoader(dataset, batch_size=4, sampler=sampler)
batches = iter(loader)
train(3, 5)
"""


def test_a_counter_of_batches_is_no_epoch() -> None:
    step = indent(STEP, " " * 12).strip()
    again = RESTARTED.format(before="print(epoch)", within="batches = iter(loader)", step=step)
    after = mended(again)
    assert not after.applied
    assert [found.unmended for found in after.report.findings] == ["nothing there counts how often the loader begins anew"]
    anew = RESTARTED.format(before="batches = iter(loader)", within="break", step=step)
    assert "for epoch in range(epochs):\n        sampler.set_epoch(epoch)\n        batches = iter" in mended(anew).data.decode()


SHARDED = """
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP

def build(model):
    {before}
    return FSDP(model)

def train(model, sharded):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for a, b in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        {clip}
        optimizer.step()

train({made}, FLAG)
"""
CLIP = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
SHARDS = {
    "always": ("print(model)", CLIP, "build(model)", True),
    "never in some runs, by a return above": ("if FLAG:\n        return DDP(model)", CLIP, "build(model)", False),
    "never in some runs, by one arm of an expression": ("print(model)", CLIP, "build(model) if FLAG else model", False),
    "where the clip asks as well": (
        "print(model)",
        f"if FLAG:\n            {CLIP}",
        "build(model) if FLAG else model",
        True,
    ),
}


@pytest.mark.parametrize(("before", "clip", "made", "mends"), SHARDS.values(), ids=SHARDS)
def test_a_method_of_shards_is_called_where_there_are_some(before: str, clip: str, made: str, mends: bool) -> None:
    after = mended(SHARDED.format(before=before, clip=clip, made=made))
    assert bool(after.applied) is mends
    assert ("model.clip_grad_norm_(1.0)" in after.data.decode()) is mends


def test_a_constant_epoch_is_replaced() -> None:
    after = mended(epochs("sampler = DistributedSampler(dataset)", "for epoch in range(3):\n    sampler.set_epoch(0)"))
    assert after.data.decode().count("set_epoch") == 1
    assert "    sampler.set_epoch(epoch)\n    for a, b" in after.data.decode()


def test_what_is_cleared_in_a_helper_of_two_losses_is_cleared_once() -> None:
    after = mended(
        """
        def back(loss):
            loss.backward()

        for epoch in range(3):
            for a, b in loader:
                back(F.cross_entropy(model(a), b))
                back(F.cross_entropy(model(-a), b))
                optimizer.step()
        """
    )
    assert "        optimizer.zero_grad()\n        back(F.cross_entropy(model(a), b))\n" in after.data.decode()
    assert after.data.decode().count("zero_grad") == 1


def test_in_a_window_gradients_are_cleared_after_the_step() -> None:
    after = mended(
        """
        for epoch in range(3):
            for i, (a, b) in enumerate(loader):
                loss = F.cross_entropy(model(a), b) / 2
                loss.backward()
                if (i + 1) % 2 == 0:
                    optimizer.step()
        """
    )
    assert "            optimizer.step()\n            optimizer.zero_grad()\n" in after.data.decode()


def test_a_clip_in_a_window_is_not_moved_to_each_micro_batch() -> None:
    after = mended(
        """
        for epoch in range(3):
            for i, (a, b) in enumerate(loader):
                loss = F.cross_entropy(model(a), b) / 2
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                loss.backward()
                if (i + 1) % 2 == 0:
                    optimizer.step()
                    optimizer.zero_grad()
        """
    )
    assert not after.applied


def test_a_step_is_not_left_between_a_forward_and_its_backward() -> None:
    after = mended(
        """
        for epoch in range(3):
            for a, b in loader:
                loss = F.cross_entropy(model(a), b)
                optimizer.zero_grad()
                optimizer.step()
                loss.backward()
        """
    )
    assert not after.applied


def test_unscaling_that_comes_too_late_is_moved() -> None:
    after = mended(
        """
        for a, b in loader:
            optimizer.zero_grad()
            scaler.scale(F.cross_entropy(model(a), b)).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
        """
    )
    assert "    scaler.unscale_(optimizer)\n    nn.utils.clip" in after.data.decode()
    assert after.data.decode().count("unscale_") == 1


def test_what_a_backward_is_given_stays() -> None:
    after = mended(
        """
        for a, b in loader:
            optimizer.zero_grad()
            (F.cross_entropy(model(a), b) + 1).backward(retain_graph=True)
            scaler.step(optimizer)
            scaler.update()
        """
    )
    assert "    scaler.scale(F.cross_entropy(model(a), b) + 1).backward(retain_graph=True)\n" in after.data.decode()


FIT = """
def fit(model, optimizer, loader):
    for a, b in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()
"""


def test_a_loss_that_is_trained_on_keeps_its_graph() -> None:
    after = mended(
        FIT
        + """
def evaluate(model, loader):
    model.eval()
    total = 0
    for a, b in loader:
        total = total + F.cross_entropy(model(a), b)
    return total

for epoch in range(2):
    model.train()
    fit(model, optimizer, loader)
    penalty = evaluate(model, DataLoader(dataset))
    penalty.backward()
"""
    )
    assert "no_grad" not in after.data.decode()


def test_passes_of_one_function_are_evaluated_together() -> None:
    after = mended(
        FIT
        + """
def evaluate(model, loader):
    hits = 0
    for a, b in loader:
        hits += (model(a).argmax(1) == b).sum().item()
    for a, b in loader:
        hits += (model(-a).argmax(1) == b).sum().item()
    return hits

for epoch in range(2):
    fit(model, optimizer, loader)
    evaluate(model, DataLoader(dataset))
"""
    )
    text = after.data.decode()
    assert (text.count("model.eval()"), text.count("model.train()"), text.count("@torch.no_grad()")) == (1, 1, 1)
    assert not after.report.findings


def test_passes_in_the_open_are_mended_one_by_one() -> None:
    after = mended(
        FIT
        + """
for epoch in range(2):
    model.train()
    fit(model, optimizer, loader)
    model.eval()
    held_out = DataLoader(dataset)
    for a, b in held_out:
        print((model(a).argmax(1) == b).sum().item())
    for a, b in held_out:
        print((model(-a).argmax(1) == b).sum().item())
"""
    )
    assert after.data.decode().count("with torch.no_grad():") == 2
    assert not after.report.findings


def test_a_loss_of_training_with_the_same_name_is_no_doubt() -> None:
    after = mended(
        """
        for epoch in range(2):
            model.train()
            for a, b in loader:
                optimizer.zero_grad()
                loss = F.cross_entropy(model(a), b)
                loss.backward()
                optimizer.step()
            model.eval()
            held_out = DataLoader(dataset)
            for a, b in held_out:
                loss = F.cross_entropy(model(a), b)
                print(loss.item())
        """
    )
    assert "with torch.no_grad():" in after.data.decode()


LOSSES = {
    "in the call": ("loss = F.cross_entropy(F.softmax(model(a), dim=1), b)", "loss = F.cross_entropy(model(a), b)"),
    "as a method": ("loss = F.cross_entropy(model(a).softmax(1), b)", "loss = F.cross_entropy(model(a), b)"),
    "of a sum": ("loss = F.cross_entropy(torch.softmax(model(a) + 1, 1), b)", "loss = F.cross_entropy(model(a) + 1, b)"),
    "in a name": (
        "p = F.softmax(model(a), 1)\n    loss = F.cross_entropy(p, b)",
        "p = model(a)\n    loss = F.cross_entropy(p, b)",
    ),
    "with its logarithm": (
        "loss = F.nll_loss(F.softmax(model(a), dim=1), b)",
        "loss = F.nll_loss(F.log_softmax(model(a), dim=1), b)",
    ),
}


@pytest.mark.parametrize(("bad", "good"), LOSSES.values(), ids=LOSSES)
def test_a_loss_is_given_what_it_takes(bad: str, good: str) -> None:
    program = "for a, b in loader:\n    optimizer.zero_grad()\n    {}\n    loss.backward()\n    optimizer.step()\n"
    assert not mended(program.format(bad)).applied, "it changes the result"
    after = mended(program.format(bad), unsafe=True)
    assert after.data.decode() == HEAD + program.format(good)
    assert not after.report.findings


def test_probabilities_that_are_used_elsewhere_stay() -> None:
    after = mended(
        """
        for a, b in loader:
            optimizer.zero_grad()
            p = F.softmax(model(a), dim=1)
            loss = F.cross_entropy(p, b)
            loss.backward()
            optimizer.step()
            print(p.max().item())
        """,
        unsafe=True,
    )
    assert not after.applied
    assert [found.unmended for found in after.report.findings] == ["`p` is used elsewhere, too"]


@pytest.mark.parametrize(("shuffle", "safe"), [("True", True), ("FLAG and sampler is not None", False)])
def test_an_order_that_somebody_worked_out_is_left_to_a_person(shuffle: str, safe: bool) -> None:
    made = f"sampler = RandomSampler(dataset)\nloader = DataLoader(dataset, batch_size=4, sampler=sampler, shuffle={shuffle})\n"
    after = mended(made + "for a, b in loader:\n    optimizer.zero_grad()\n    model(a).sum().backward()\n    optimizer.step()\n")
    assert bool(after.applied) == safe


def test_a_clip_for_all_keeps_its_name_where_that_holds_the_parameter() -> None:
    after = mended(
        """
        for a, b in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(a), b).backward()
            for p in model.parameters():
                torch.nn.utils.clip_grad_norm_(p, 1.0)
            optimizer.step()
        """
    )
    assert "\n    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n" in after.data.decode()
    assert not after.report.findings


EVALUATES = """\
import torch


@torch.no_grad()
def evaluate(net, data):
    net.eval()
    return sum(net(x).sum().item() for x in data)
"""

TRAINS = """\
import torch
from torch import nn
from engine import evaluate

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
valid_data = torch.randn(2, 8, 4)
for epoch in range(2):
    for x in torch.randn(4, 8, 4):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
    evaluate(net, valid_data)
"""


def test_what_is_found_in_one_file_is_mended_in_the_other(tmp_path: Path) -> None:
    """The evaluation leaves the model in eval mode; who trains on puts it back, and the evaluation is as it was."""
    (tmp_path / ".git").mkdir()
    helper, script = tmp_path / "engine.py", tmp_path / "train.py"
    helper.write_text(EVALUATES)
    script.write_text(TRAINS)
    (finding,) = check_file(helper, packs.rules()).findings
    assert finding.repair is None
    assert finding.unmended == f"the change is one of {script}, and made when that is judged"
    outcomes = work([helper, script], Job(packs.rules(), mend=True))
    assert [finding.rule.name for outcome in outcomes for finding in outcome.report.findings] == []
    assert helper.read_text() == EVALUATES
    before, after = TRAINS.splitlines(), script.read_text().splitlines()
    assert [line for line in after if line not in before] == ["    net.train()"]
    assert not any(outcome.changed for outcome in work([helper, script], Job(packs.rules(), mend=True)))


BETWEEN = """\
def validate():
    model.eval()
    with torch.no_grad():
        for a, b in valid_loader:
            model(a)

valid_loader = DataLoader(dataset, batch_size=4)
for epoch in range(2):
    model.train()
    for step, (a, b) in enumerate(loader):
        if step % 2 == 1:
            validate()
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()
"""


def test_a_model_trains_again_after_the_evaluation_in_the_middle_of_a_batch() -> None:
    """At the top of the pass it would be too early: the evaluation comes between that and the training."""
    result = mended(BETWEEN)
    assert result.report.findings == ()
    assert "            validate()\n        model.train()\n        optimizer.zero_grad()\n" in result.data.decode()


RETURNS = """\
def evaluate(most):
    losses = []
    for step, (a, b) in enumerate(valid_loader):
        with torch.no_grad():
            losses.append(F.cross_entropy(model(a), b).item())
        if step == most:
            return {returned}
    return sum(losses)

valid_loader = DataLoader(dataset, batch_size=4)
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()
    print(evaluate(1))
"""


def test_a_model_trains_again_wherever_its_evaluation_returns() -> None:
    result = mended(RETURNS.format(returned="sum(losses)"))
    assert result.report.findings == ()
    text = result.data.decode()
    assert "            model.train()\n            return sum(losses)\n    model.train()\n    return sum(losses)\n" in text


def test_what_is_returned_may_want_the_model_as_it_is() -> None:
    result = mended(RETURNS.format(returned="described(losses)"))
    (finding,) = result.report.findings
    assert finding.rule.name == "missing-eval-mode"
    assert finding.repair is None


PHASES = """\
for i, (a, b) in enumerate(loader):
    loss = F.cross_entropy(model(a), b)
    if i % 2 == 0:
        optimizer.zero_grad()
        loss.backward()
    else:
        loss.backward()
    if (i + 1) % 2 == 0:
        optimizer.step()
"""


def test_a_window_is_divided_on_all_of_its_micro_batches() -> None:
    result = mended(PHASES)
    assert not any(each.rule.name == "unscaled-accumulation-loss" for each in result.report.findings)
    assert result.data.decode().count("(loss / 2).backward()") == 2


OF_ANOTHER = """\
class Stepper:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def backward(self, loss):
        loss.backward()

class Trainer:
    def __init__(self, stepper, every):
        self.stepper, self.every = stepper, every

    def fit(self):
        for i, (a, b) in enumerate(loader):
            self.stepper.backward(F.cross_entropy(model(a), b))
            if (i + 1) % self.every == 0:
                optimizer.step()
                optimizer.zero_grad()

Trainer(Stepper(optimizer), int(input())).fit()
"""


def test_an_attribute_of_another_object_is_no_divisor() -> None:
    (finding,) = [each for each in mended(OF_ANOTHER).report.findings if each.rule.name == "unscaled-accumulation-loss"]
    assert finding.unmended == "`self.every` is an attribute of another object"


SAMPLES = """\
def sample(net, x):
    net.eval()
    return net(x)
"""

DRAWS = """\
import torch
from torch import nn
from engine import sample

net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.train()
for epoch in range(2):
    for step, x in enumerate(torch.randn(4, 8, 4)):
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
        if step % 2 == 0:
            with torch.no_grad():
                print(sample(net, x).sum())
"""


def test_what_happens_in_the_pass_is_seen_though_another_file_does_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "engine.py").write_text(SAMPLES)
    script = tmp_path / "train.py"
    script.write_text(DRAWS)
    (outcome,) = work([script], Job(packs.rules(), mend=True))
    assert outcome.report.findings == ()
    assert "(torch.randn(4, 8, 4)):\n        net.train()\n        optimizer" in script.read_text()


OPTIM = """\
import torch

class Optim:
    def __init__(self, params):
        self.optimizer = torch.optim.SGD(params, lr=0.1)

    def step(self):
        self.optimizer.step()
"""

STARS = """\
import torch
from torch import nn
from tools import *
from optim import Optim

def train(data, model, optim):
    for x in data:
        loss = model(x).sum()
        loss.backward()
        print(loss.item())
        optim.step()

model = nn.Linear(4, 2)
optim = Optim(model.parameters())
for epoch in range(2):
    train(torch.randn(4, 8, 4), model, optim)
"""


def test_an_attribute_of_another_object_is_not_taken_for_a_name_that_a_star_brings(tmp_path: Path) -> None:
    """`self` is none of it: what the file itself reads of it may be."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "tools.py").write_text("import math\n")
    (tmp_path / "optim.py").write_text(OPTIM)
    script = tmp_path / "train.py"
    script.write_text(STARS)
    work([script, tmp_path / "optim.py"], Job(packs.rules(), mend=True, unsafe=True))
    assert "self" not in script.read_text()


FROZEN_CRITIC = """\
critic = nn.Sequential(nn.Linear(3, 3), nn.Dropout())
val_loader = DataLoader(dataset, batch_size=4)

def train(model):
    for a, b in loader:
        model.train()
        optimizer.zero_grad()
        (F.cross_entropy(model(a), b) + critic(model(a)).mean()).backward()
        optimizer.step()
        evaluate(model)

def evaluate(model):
    total = 0
    model.eval()
    with torch.no_grad():
        for a, b in val_loader:
            total += critic(model(a)).mean().item()
    return total

for epoch in range(2):
    train(model)
"""


def test_who_puts_another_model_back_does_not_do_so_with_this_one() -> None:
    assert "    critic.train()\n    return total\n" in mended(FROZEN_CRITIC).data.decode()


def test_a_line_that_is_only_moved_is_not_broken_where_nothing_formats_it() -> None:
    program = f"""\
val_loader = DataLoader(dataset, batch_size=4)
model.eval()
total = [0] * 9
for a, b in val_loader:
    predicted = [model(a).argmax(1), {", ".join(map(repr, range(22)))}]
    total[len(total[0:8])] += predicted[0].sum().item()
"""
    assert f"        predicted = [model(a).argmax(1), {', '.join(map(repr, range(22)))}]\n" in mended(program).data.decode()


WINDOWED = """\
for i, (a, b) in enumerate(loader):
    with torch.autocast("cpu", dtype=torch.float16):
        loss = F.cross_entropy(model(a), b) / 4
    scaler.scale(loss).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if (i + 1) % 4 == 0:
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
"""


def test_no_repair_makes_a_bug_that_nobody_asked_about() -> None:
    """Gradients that are unscaled for each micro-batch raise, whichever rules were selected."""
    asked = [rule for rule in packs.rules() if rule.name == "clip-scaled-gradients"]
    result = mend((HEAD + WINDOWED).encode(), "train.py", asked, unsafe=True)
    assert result.data.decode() == HEAD + WINDOWED
    assert [each.reason for each in result.withdrawn] == ["it would add LC207"]


LACKING = """\
def step_of(model, optimizer, scaler=None):
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if scaler is not None:
        scaler.step(optimizer)
        scaler.update()
    else:
        optimizer.step()
    return norm

for a, b in loader:
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = F.cross_entropy(model(a), b)
    scaler.scale(loss).backward()
    step_of(model, optimizer, scaler)
"""


def test_what_may_be_lacking_is_used_under_the_test_that_the_program_has_for_it() -> None:
    after = mended(LACKING, unsafe=True).data.decode()
    assert "    if scaler is not None:\n        scaler.unscale_(optimizer)\n    norm = nn.utils.clip" in after


NODES = """\
def train(loader):
    for a, b in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()

def main(rank):
    if FLAG:
        sampler = DistributedSampler(dataset)
    else:
        sampler = None
    loader = DataLoader(dataset, batch_size=4, shuffle=sampler is None, sampler=sampler)
    for epoch in range(3):
        train(loader)

if FLAG:
    torch.multiprocessing.spawn(main, args=(), nprocs=2)
else:
    main(0)
"""


ONE_WAY = NODES.replace("        train(loader)\n", "        for a, b in loader:\n" + indent(STEP, " " * 12))


def test_what_some_run_lacks_is_asked_for_where_it_is_used() -> None:
    assert "        if sampler is not None:\n            sampler.set_epoch(epoch)\n" in mended(ONE_WAY).data.decode()


SAME_TEST = """\
scaler = torch.amp.GradScaler("cpu") if FLAG else None
for a, b in loader:
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16, enabled=FLAG):
        loss = F.cross_entropy(model(a), b)
    if FLAG:
        scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    else:
        loss.backward()
        optimizer.step()
"""


def test_what_is_there_by_the_test_around_is_not_asked_for() -> None:
    assert "        scaler.unscale_(optimizer)\n        nn.utils.clip" in mended(SAME_TEST, unsafe=True).data.decode()


def test_what_is_told_before_a_call_is_asked_for_where_the_caller_may_lack_it() -> None:
    """In all runs that come to the defect it is there; there are others."""
    after = mended(NODES).data.decode()
    assert "        if sampler is not None:\n            sampler.set_epoch(epoch)\n        train(loader)\n" in after


STATISTICS = """\
def collect(net, loader):
    net.train()
    print("statistics of batch norm")
    with torch.no_grad():
        for a, b in loader:
            net(a)

val_loader = DataLoader(dataset, batch_size=4)
collect(model, val_loader)
"""


def test_a_mode_that_is_set_right_before_a_pass_is_not_set_otherwise() -> None:
    assert mended(STATISTICS, unsafe=True).data.decode() == HEAD + STATISTICS


def test_what_is_asked_for_by_its_name_is_not_exchanged() -> None:
    program = """
        name = os.environ.get("OPTIMIZER", "sgd")
        if {test}:
            optimizer = torch.optim.Adam(model.parameters(), lr=0.1, weight_decay=0.01)
        for a, b in loader:
            optimizer.zero_grad()
            F.cross_entropy(model(a), b).backward()
            optimizer.step()
        """
    assert "AdamW" not in mended(program.format(test='name == "adam"'), unsafe=True).data.decode()
    assert "AdamW" in mended(program.format(test='name == "best"'), unsafe=True).data.decode()


def test_lines_go_in_as_those_around_do() -> None:
    tabbed = "def twice(number):\n\tif FLAG:\n\t\treturn 2 * number\n\treturn number\n\n\ndef same(number):\n\treturn number\n"
    loop = f"for epoch in range(3):\n    for a, b in loader:\n{indent(STEP, ' ' * 8)}"
    held_out = "for a, b in val_loader:\n    print(model(a).mean().item())\n"
    after = mended(f"{tabbed}val_loader = DataLoader(dataset, batch_size=4)\n{loop}model.eval()\n{held_out}").data.decode()
    assert f"with torch.no_grad():\n{indent(held_out, ' ' * 4)}" in after


TRAINED_BESIDE = """\
from torch.nn.parallel import DistributedDataParallel as DDP

raw = model
{wrapped}
for a, b in loader:
    optimizer.zero_grad()
    F.cross_entropy(raw(a), b).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("wrapped", "applied"),
    [
        ("ddp = DDP(model)", "ddp(a)"),
        ("ddp = model\nif FLAG:\n    ddp = DDP(model)", "ddp(a)"),
        ("if FLAG:\n    ddp = DDP(model)", "raw(a)"),  # it has no name in other runs
        ("if FLAG:\n    raw = nn.Linear(4, 3)\nddp = DDP(raw)", "ddp(a)"),
        ("ddp = DDP(model)\nddp = ddp.module", "raw(a)"),
        ("ddp = DDP(model)\nddp = (lambda net: net)(raw)", "raw(a)"),
    ],
)
def test_a_wrapper_is_applied_where_it_has_a_name_in_each_run(wrapped: str, applied: str) -> None:
    written = mended(TRAINED_BESIDE.format(wrapped=wrapped)).data.decode()
    assert f"F.cross_entropy({applied}, b)" in written


WINDOW = """
import tkinter
import torch
from torch import nn


def show(net):
    out = net(torch.load("picture.pt"))
    print(out.argmax(1).tolist())


def main():
    root = tkinter.Tk()
    while True:
        net = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8))
        net.load_state_dict(torch.load("net.pt"))
        net.eval()
        {handed}
        break
    root.mainloop()


main()
"""


@pytest.mark.parametrize(
    ("handed", "change"),
    [
        ("tkinter.Button(root, command=lambda: show(net)).pack()", "decorate `show` with"),
        ("tkinter.Button(root, lambda: show(net)).pack()", "decorate `show` with"),
        ("show(net)", "put `while True:` under"),
    ],
)
def test_what_is_called_later_is_not_mended_where_it_is_handed_over(handed: str, change: str) -> None:
    rules = [rule for rule in packs.rules() if rule.name == "missing-no-grad"]
    (finding,) = check_source(WINDOW.format(handed=handed).encode(), "window.py", rules).findings
    assert finding.repair is not None
    assert finding.repair.message.startswith(change)


BAR = """
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler
from tqdm import tqdm


def main(dataset, epochs):
    dist.init_process_group("gloo")
    {named}DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset)){closed}
    model = nn.parallel.DistributedDataParallel(nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        {bar}
        for x, y in bar:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            bar.set_postfix(epoch=epoch)
"""


@pytest.mark.parametrize(
    ("named", "closed", "bar", "told"),
    [
        ("train_loader = ", "", 'bar = tqdm(train_loader, desc="train")', "train_loader.sampler.set_epoch(epoch)"),
        ("bar = ", "", "pass", "bar.sampler.set_epoch(epoch)"),
        ("bar = tqdm(", ")", "pass", None),
    ],
)
def test_a_progress_bar_has_nothing_of_its_loader_but_batches(named: str, closed: str, bar: str, told: str | None) -> None:
    rules = [rule for rule in packs.rules() if rule.name == "missing-set-epoch"]
    text = BAR.format(named=named, closed=closed, bar=bar)
    (finding,) = check_source(text.encode(), "train.py", rules).findings
    made = [edit.content.strip() for edit in finding.repair.edits] if finding.repair else []
    assert made == ([told] if told else [])


def test_a_progress_bar_of_a_with_statement_is_none_either() -> None:
    text = """
        import torch
        import torch.distributed as dist
        from torch import nn
        from torch.utils.data import DataLoader, DistributedSampler
        from tqdm import tqdm

        def main(dataset, epochs):
            dist.init_process_group("gloo")
            loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset))
            model = nn.parallel.DistributedDataParallel(nn.Linear(8, 2))
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            for epoch in range(epochs):
                with tqdm(loader) as bar:
                    for x, y in bar:
                        optimizer.zero_grad()
                        nn.functional.cross_entropy(model(x), y).backward()
                        optimizer.step()
    """
    rules = [rule for rule in packs.rules() if rule.name == "missing-set-epoch"]
    (finding,) = check_source(dedent(text).encode(), "train.py", rules).findings
    assert finding.repair is not None
    assert [edit.content.strip() for edit in finding.repair.edits] == ["loader.sampler.set_epoch(epoch)"]


def test_a_fix_that_puts_a_statement_where_it_stands_is_none() -> None:
    text = """
        import torch
        from torch import nn

        def train(net, loader, optimizer):
            for x, y in loader:
                optimizer.zero_grad()
                nn.functional.cross_entropy(net(x), y).backward()
                optimizer.step()

        def main(loader, epochs):
            net = nn.Linear(8, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, epochs=epochs, steps_per_epoch=len(loader))
            for epoch in range(epochs):
                train(net, loader, optimizer)
                scheduler.step()
    """
    rules = [rule for rule in packs.rules() if rule.name == "scheduler-cadence"]
    (finding,) = check_source(dedent(text).encode(), "train.py", rules).findings
    assert finding.repair is None
    assert finding.unmended == "it would be put where it stands"


HEADS = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = {head}

    def forward(self, x):
        x = self.body(x)
        x = self.head(x)
        return x


def main(loader):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.CrossEntropyLoss()(net(x), y).backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("head", "change"),
    [
        ("nn.Softmax(dim=1)", "replace `self.head(x)` with `x`"),
        ("nn.Sequential(nn.Linear(8, 2), nn.Softmax(dim=1))", "remove `nn.Softmax(dim=1)` from `nn.Sequential(…)`"),
        ("nn.Sequential(nn.Linear(8, 2), nn.Sequential(nn.ReLU(), nn.Softmax(dim=1)))", None),
    ],
)
def test_an_activation_is_taken_away_without_the_layers_before_it(head: str, change: str | None) -> None:
    rules = [rule for rule in packs.rules() if rule.name == "softmax-before-cross-entropy"]
    (finding,) = check_source(HEADS.format(head=head).encode(), "train.py", rules).findings
    assert (finding.repair.message if finding.repair else None) == change


HANDED_BACK = """
def outputs(net, loader):
    net.eval()
    found = []
    for a, b in loader:
        found.append(net(a){kept})
    return torch.cat(found)


print(outputs(model, loader).detach().numpy())
"""


def test_a_function_that_hands_back_outputs_is_not_decorated_unasked() -> None:
    """Somebody else may learn from them."""
    assert "no_grad" not in mended(HANDED_BACK.format(kept="")).data.decode()
    assert "@torch.no_grad()" in mended(HANDED_BACK.format(kept=""), unsafe=True).data.decode()
    assert "@torch.no_grad()" in mended(HANDED_BACK.format(kept=".detach()")).data.decode()
    assert "@torch.no_grad()" in mended(HANDED_BACK.format(kept="").replace("outputs", "evaluate")).data.decode()
