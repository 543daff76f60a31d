"""Which losses are known to have a graph where they are added up: one of several outputs may be a number."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.read.interpret.budget import MOST_KEYS

PROGRAM = """\
import torch
from elsewhere import as_array, compute_loss, kind
from torch import nn


def penalized(out, y):
    penalty = 0.0
    penalty += float(out.abs().mean())
    return nn.functional.cross_entropy(out, y), penalty


def train(model, loader, optimizer):
    total = 0.0
    for x, y in loader:
        {computed}
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += {added}
    print(total / len(loader))


def main(loader, val_loader):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        train(model, loader, optimizer)
"""


def told(computed: str, added: str) -> bool:
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    return bool(check_source(PROGRAM.format(computed=computed, added=added).encode(), "train.py", rules).findings)


@pytest.mark.parametrize(
    "made", ["compute_loss(model(x), y)", "model.module.loss(model(x), y)", "model.loss(x, y)", "penalized(model(x), y)"]
)
def test_of_several_outputs_the_one_that_a_backward_walks_has_a_graph(made: str) -> None:
    assert told(f"loss, other_loss = {made}", "loss")
    assert not told(f"loss, other_loss = {made}", "other_loss")


@pytest.mark.parametrize("made", ["compute_loss(model(x), y)", "torch.ops.pairs.pair_loss(model(x), y)"])
def test_what_comes_with_a_loss_is_no_loss_by_the_name_of_what_gives_both(made: str) -> None:
    assert not told(f"loss, accuracy = {made}", "accuracy")


def test_what_a_network_puts_out_is_a_tensor() -> None:
    assert told("loss, other_loss = model(x, y)", "other_loss")


def test_what_is_out_of_sight_has_one_once_a_backward_has_gone_by_it() -> None:
    assert told("loss = getattr(nn, kind())(model(x), y)", "loss")
    assert not told("loss = getattr(nn, kind())(model(x), y); total += loss", "loss.item()")


@pytest.mark.parametrize("computed", ["loss = nn.functional.mse_loss(model(x), y)", "loss = getattr(nn, kind())(model(x), y)"])
def test_what_is_made_of_that_out_of_sight_may_have_none(computed: str) -> None:
    assert not told(computed, "as_array(loss)[0]")


def test_whichever_it_is() -> None:
    assert told("number, loss = compute_loss(model(x), y)", "loss")
    assert told("number, loss = compute_loss(model(x), y); total += loss", "0")


def test_what_a_method_of_a_model_measures_may_have_none() -> None:
    assert told("loss = model.loss(x, y)", "loss")
    assert not told("loss = model.loss(x, y); test_loss = model.evaluate(x, y)", "test_loss")


@pytest.mark.parametrize(
    ("kept", "has_graph"),
    [("loss", True), ("loss.view(1)", True), ("loss.cpu()", False), ("loss.to('cpu')", False), ("loss * 2", False)],
)
def test_a_copy_that_is_made_without_autograd_has_no_graph(kept: str, has_graph: bool) -> None:
    """What torch 2.13 does: a move to another device or type is an operation, and a view under no_grad keeps its base's graph."""
    program = PROGRAM.replace("total = 0.0", "total = []").replace("total / len(loader)", "total")
    added = f"[loss.item()]\n        with torch.no_grad():\n            total.append({kept})"
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    text = program.format(computed="loss = nn.functional.cross_entropy(model(x), y)", added=added)
    assert bool(check_source(text.encode(), "train.py", rules).findings) is has_graph


def test_what_tells_of_a_loss_has_none() -> None:
    assert told("loss, outputs = model(x, y)", "outputs.loss")
    assert not told("loss, batch_stats = model(x, y)", "batch_stats.loss")


CHOSEN = """\
import torch
from torch import nn


def train(loader, flag):
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        loss = net(x).detach().mean() if flag else torch.tensor(0.0)
        optimizer.zero_grad()
        {learns}
        optimizer.step()
"""


def test_what_is_asked_for_its_graph_has_one() -> None:
    rules = [rule for rule in packs.rules() if rule.code == "LC108"]
    bare, asked = (CHOSEN.format(learns=learns) for learns in ("loss.backward()", "if loss.requires_grad: loss.backward()"))
    assert check_source(bare.encode(), "train.py", rules).findings
    assert not check_source(asked.encode(), "train.py", rules).findings


ROWS = """\
import torch
from elsewhere import Net


def train(model, loader, optimizer):
    rows = []
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        row = model.losses(batch)
        loss = row["loss"]
        loss.backward()
        optimizer.step()
        {kept}
    print(rows)


def main(loader):
    model = torch.nn.DataParallel(Net())
    train(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))
"""


@pytest.mark.parametrize(
    ("kept", "has_graph"),
    [
        ("rows.append(row)", True),
        ("rows.append({'step': step, 'loss': loss})", True),
        ("rows.append((step, loss))", True),
        ("rows.append({'step': step, 'loss': loss.item()})", False),
        ("rows.append({'loss': loss.detach(), 'out': row['out']})", False),
        ("row['loss'] = loss.detach(); rows.append(row)", False),
        ("rows.append(row['out'].argmax())", False),
        ("rows = [row]", False),
    ],
)
def test_a_loss_is_kept_with_what_holds_it(kept: str, has_graph: bool) -> None:
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    assert bool(check_source(ROWS.format(kept=kept).encode(), "train.py", rules).findings) is has_graph


COUNTED = """\
import torch


def iou_loss(out, y):
    found = {found}
    return (found * y).sum() / found.sum()
"""
DERIVED = """\
import torch
from torch.nn.modules.loss import _WeightedLoss


class EdgeLoss(_WeightedLoss):
    def __init__(self, weight=None):
        super().__init__(weight)

    def forward(self, out, y):
        found = {found}
        return (found - y).abs().mean()
"""
METERED = """\
import torch
from losses import {taken}
from torch import nn


class Meter:
    def __init__(self):
        self.sum = 0.0

    def update(self, value, times=1):
        self.sum += value * times


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
other_loss = {made}
meter = Meter()
for x, y in torch.load("batches.pt"):
    out = net(x)
    shown_loss = other_loss(out, y)
    loss = nn.functional.cross_entropy(out, y) + shown_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    meter.update(shown_loss, len(x))
"""


@pytest.mark.parametrize(("found", "has_graph"), [("torch.argmax(out, 1).float()", False), ("out.softmax(1)[:, 1]", True)])
@pytest.mark.parametrize(
    ("losses", "taken", "made"), [(COUNTED, "iou_loss", "iou_loss"), (DERIVED, "EdgeLoss", 'EdgeLoss().to("cpu")')]
)
def test_a_loss_of_another_file_is_read(tmp_path: Path, losses: str, taken: str, made: str, found: str, has_graph: bool) -> None:
    """One that counts hits has no graph, whatever it is called."""
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "losses.py").write_text(losses.format(found=found))
    script = tmp_path / "train.py"
    script.write_text(METERED.format(taken=taken, made=made))
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    assert bool(check_source(script.read_bytes(), str(script), rules).findings) is has_graph


PARTS = """\
import torch
from torch import nn


class Contrasting(nn.Module):
    def __init__(self, model, size):
        super().__init__()
        self.model, self.size = model, size

    def {name}(self, anchor, others):
        total_loss = 0
        for number in range(0, -(-len(others) // self.size)):
            part = others[number * self.size : (number + 1) * self.size]
            loss = (self.model(anchor) - self.model(part)).square().mean()
            loss.backward()
            {kept}
        return total_loss
"""


@pytest.mark.parametrize(
    ("name", "kept", "told"),
    [
        ("training_step", "total_loss += loss", False),
        ("train_minibatch", "total_loss += loss", False),
        ("forward", "total_loss += loss", False),
        ("train_all", "total_loss += loss", True),
    ],
)
def test_the_parts_of_one_batch_are_added_up(name: str, kept: str, told: bool) -> None:
    """What sums them is let go of when the batch is over."""
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    assert bool(check_source(PARTS.format(name=name, kept=kept).encode(), "train.py", rules).findings) is told


NAMED = """
import torch
from torch import nn
from torch.nn import functional as F


class Loss(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.distills = getattr(config, "distills", True)

    def forward(self, a, b, warm):
        first = F.mse_loss(a, b)
        if self.distills and not warm:
            second = (a.detach() - b).square().mean()
        else:
            second = torch.tensor(0.0)
        return first + second, {{{parts}}}


def fit(net, loader, config):
    measure, optimizer = Loss(config), torch.optim.SGD(net.parameters(), lr=0.1)
    history = {{"loss0": [], "loss1": []}}
    for epoch in range(10):
        sums = {{{zeros}}}
        for x, y in loader:
            loss, losses = measure(net(x), net(y), epoch == 0)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            for key in {over}:
                sums[key] += losses[key]
        history["loss0"].append(sums["loss0"])
        history["loss1"].append(sums["loss1"])
    return history
"""


def _named(last: str, over: str = "sums", count: int = 12) -> list[str]:
    """What a finding of each loss calls it, of many that are added up by their names, the last one as it is given."""
    told = ['"loss0": first.item()', f'"loss1": {last}', *(f'"loss{number}": first.item()' for number in range(2, count))]
    zeros = ", ".join(f'"loss{number}": 0.0' for number in range(count))
    text = NAMED.format(parts=", ".join(told), zeros=zeros, over=over)
    rules = [rule for rule in packs.rules() if rule.name == "graph-retained-in-metric"]
    return [finding.message for finding in check_source(text.encode(), "train.py", rules).findings]


@pytest.mark.parametrize("over", ["sums", "sums.keys()", "list(sums)"])
@pytest.mark.parametrize("last", ["second.item()", "second.item() if isinstance(second, torch.Tensor) else second",
                                  "second.item() if torch.is_tensor(second) else second"])  # fmt: skip
def test_losses_whose_numbers_are_added_up_by_their_names_keep_nothing(last: str, over: str) -> None:
    assert not _named(last, over)


@pytest.mark.parametrize("over", ["sums", "sums.keys()"])
def test_of_losses_that_are_added_up_by_their_names_the_one_with_a_graph_is_told(over: str) -> None:
    assert len(_named("first", over)) == 1


def test_of_more_losses_than_are_told_apart_none_is_taken_for_another() -> None:
    assert not _named("first", count=MOST_KEYS + 1)


FILED = """\
import torch
from torch import nn


def train(loader, epochs):
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    kept = {kept}
    step = 0
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        {filed}
        step += 1
    return kept
"""
FILLED = ["torch.zeros(epochs)", "torch.zeros(epochs, device='cuda')", "[0] * epochs", "[]", "{}"]


def _filed(kept: str, filed: str) -> list[str]:
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    return [each.message for each in check_source(FILED.format(kept=kept, filed=filed).encode(), "train.py", rules).findings]


@pytest.mark.parametrize("kept", FILLED)
def test_a_loss_that_is_put_in_a_place_of_its_own_stays_there_with_its_graph(kept: str) -> None:
    assert len(_filed(kept, "kept[step] = loss")) == 1
    assert not _filed(kept, "kept[step] = loss.item()")
    assert not _filed(kept, "kept[step] = loss.detach()")


def test_the_place_of_the_last_one_holds_one_graph() -> None:
    assert not _filed("{}", "last = 0; kept[last] = loss")
    assert not _filed("{}", "kept['last'] = loss")


def test_what_is_out_of_sight_may_take_a_number_of_what_it_is_given() -> None:
    assert not _filed("Recorder()", "kept[step] = loss")
    assert not _filed("numpy.zeros(epochs)", "kept[step] = loss")


SUMMED_LATER = """\
import torch
from torch import nn

heads = nn.ModuleList(nn.Linear(3, 1) for _ in range(4))
optimizer = torch.optim.SGD(heads.parameters(), lr=0.1)


def train(loader, tasks):
    for x, targets in loader:
        losses = {made}
        for task in tasks:
            losses[task] = nn.functional.mse_loss(heads[task](x), targets[task])
        optimizer.zero_grad()
        {total}.backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "total"),
    [
        ("{}", "sum(losses.values())"),
        ("{}", "torch.stack([losses[task] for task in tasks]).mean()"),
        ("torch.zeros(4)", "losses.mean()"),
        ("[0] * 4", "torch.stack(losses).mean()"),
    ],
)
def test_losses_that_are_put_together_for_a_backward_are_meant_to_keep_their_graphs(made: str, total: str) -> None:
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    assert not check_source(SUMMED_LATER.format(made=made, total=total).encode(), "train.py", rules).findings


def test_what_has_no_graph_is_no_loss_by_the_name_of_what_it_was_made_of() -> None:
    text = """\
import torch
from elsewhere import Captioner
from torch import nn


class Meter:
    def __init__(self):
        self.sum = 0

    def update(self, val, n=1):
        self.sum += val * n


def train(loader):
    net, meter = Captioner(), Meter()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        scores, lengths = net(x)
        loss = nn.functional.mse_loss(scores, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update({loss}, sum(lengths))
"""
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    assert not check_source(text.replace("{loss}", "loss.item()").encode(), "train.py", rules).findings
    assert check_source(text.replace("{loss}", "loss").encode(), "train.py", rules).findings


CLIENT = """\
import torch
from torch import nn


class Client:
    def __init__(self, batches):
        self.model = nn.Linear(4, 4)
        self.batches = batches
        self.running_mean = torch.zeros(4)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def train(self):
        for x, y in self.batches:
            out = self.model(x)
            self.running_mean = 0.9 * self.running_mean + 0.1 * out.mean(dim=0)
            loss = (out - y).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            {at_the_end}
        {behind}

    def forget(self):
        self.running_mean.detach_()


Client([(torch.randn(8, 4), torch.randn(8, 4)) for _ in range(10)]).train()
"""


def told_of_client(at_the_end: str, behind: str = "pass") -> bool:
    rules = [rule for rule in packs.rules() if rule.code == "LC804"]
    return bool(check_source(CLIENT.format(at_the_end=at_the_end, behind=behind).encode(), "train.py", rules).findings)


def test_what_loses_its_graph_where_it_stands_keeps_none() -> None:
    assert told_of_client("pass")
    assert not told_of_client("self.running_mean.detach_()")
    assert not told_of_client("self.forget()")


def test_what_loses_it_behind_the_loop_has_kept_it_until_then() -> None:
    assert told_of_client("self.optimizer.zero_grad()", "self.forget()")
    assert told_of_client("out.detach_()")
