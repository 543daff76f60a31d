"""Fixes that go to where an object was made, or need a word for one that is not there: what they write, and what they leave."""

from __future__ import annotations

from textwrap import dedent

import pytest

from loopcheck import packs
from loopcheck.check import check_source
from loopcheck.finding import Finding
from loopcheck.write.apply import edited

HEAD = """\
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

data = torch.randn(8, 4, 4)
model = nn.Linear(4, 2)
"""


def found(program: str, name: str) -> Finding:
    """The one finding of a rule."""
    rules = [rule for rule in packs.rules() if rule.name == name]
    (finding,) = check_source((HEAD + dedent(program)).encode(), "train.py", rules).findings
    return finding


def after(program: str, name: str) -> str:
    """The program with its repair, without the head."""
    repair = found(program, name).repair
    assert repair is not None
    return edited((HEAD + dedent(program)).encode(), repair.edits).decode().removeprefix(HEAD)


PLATEAU = """\
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer{mode})
for epoch in range(3):
    for x in data:
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
    {measured}
    scheduler.step()
"""

FOLLOWED = {
    "the loss of held-out data, and not that of a batch": ("", "val_loss = measure()", "val_loss"),
    "what rises, where that is wanted": (', mode="max"', "val_loss, val_acc = measure()", "val_acc"),
    "the only loss there is": ("", "accuracy = measure()", "loss"),
}


@pytest.mark.parametrize(("mode", "measured", "metric"), FOLLOWED.values(), ids=FOLLOWED)
def test_the_metric_that_a_plateau_schedule_follows(mode: str, measured: str, metric: str) -> None:
    program = PLATEAU.format(mode=mode, measured=measured)
    assert f"scheduler.step({metric})" in after(program, "plateau-without-metric")


NOT_FOLLOWED = {
    "two that it may be": PLATEAU.format(mode="", measured="val_loss, test_loss = measure()"),
    "none by its name": PLATEAU.format(mode=', mode="max"', measured="val_loss = measure()"),
    "one of several schedules": PLATEAU.format(mode="", measured="val_loss = measure()").replace(
        "for epoch", "if EXPONENTIAL:\n    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)\nfor epoch"
    ),
}


@pytest.mark.parametrize("program", NOT_FOLLOWED.values(), ids=NOT_FOLLOWED)
def test_a_metric_that_is_not_known_is_left_to_a_person(program: str) -> None:
    finding = found(program, "plateau-without-metric")
    assert (finding.repair, finding.unmended) == (None, "the metric has no name there")


WINDOWS = """\
{wrapped}
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i, x in enumerate(data):
    loss = model(x).sum() / 2
    loss.backward()
    {between}
    if {test}:
        optimizer.step()
        optimizer.zero_grad()
"""

COVERED = {
    "a wrapper that is always there": (
        "model = DDP(model)",
        "(i + 1) % 2 == 0",
        "    with nullcontext() if (i + 1) % 2 == 0 else model.no_sync():\n"
        "        loss = model(x).sum() / 2\n"
        "        loss.backward()\n",
    ),
    "a window that ends with the data, too": (
        "model = DDP(model)",
        "(i + 1) % 2 == 0 or i + 1 == len(data)",
        "    with nullcontext() if ((i + 1) % 2 == 0 or i + 1 == len(data)) else model.no_sync():\n",
    ),
    "one that may not be": (
        "if DISTRIBUTED:\n    model = DDP(model)",
        "(i + 1) % 2 == 0",
        '    with nullcontext() if (i + 1) % 2 == 0 or not hasattr(model, "no_sync") else model.no_sync():\n',
    ),
}


@pytest.mark.parametrize(("wrapped", "test", "covered"), COVERED.values(), ids=COVERED)
def test_micro_batches_under_no_sync(wrapped: str, test: str, covered: str) -> None:
    assert covered in after(WINDOWS.format(wrapped=wrapped, test=test, between="pass"), "missing-no-sync")


def test_a_window_that_is_counted_in_between_is_left_to_a_person() -> None:
    """Before the count the test means another micro-batch."""
    program = WINDOWS.format(wrapped="model = DDP(model)\ni = 0", test="i % 2 == 0", between="i += 1").replace(
        "for i, x in enumerate(data)", "for x in data"
    )
    finding = found(program, "missing-no-sync")
    assert (finding.repair, finding.unmended[:16]) == (None, "whether the wind")


SPENT = """\
{made}
optimizer = torch.optim.SGD({taken}, lr=0.1)
for x in data:
    optimizer.zero_grad()
    model(x).sum().backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    optimizer.step()
"""


def test_a_generator_of_parameters_becomes_a_list_where_it_is_made() -> None:
    program = SPENT.format(made="params = filter(TRAINED, model.parameters())", taken="params")
    assert "params = list(filter(TRAINED, model.parameters()))\n" in after(program, "exhausted-parameter-generator")


def test_one_that_is_made_in_two_places_is_asked_for_anew() -> None:
    program = SPENT.format(made="params = model.parameters()\nparams = model.parameters()", taken="params")
    assert "clip_grad_norm_(model.parameters(), 1.0)" in after(program, "exhausted-parameter-generator")


def test_every_rule_without_a_fix_says_why() -> None:
    assert [rule.name for rule in packs.rules() if rule.fix is None and not rule.by_hand] == []


AROUND = """\
from torch.utils.data import DataLoader


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 2), nn.Dropout())

    def loss_of(self, x):
        return self(x).square().mean()

    def forward(self, x):
        return self.body(x)


class Trainer:
    def __init__(self, net):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

    def numbers(self, loader):
        total = 0
        with torch.no_grad():
            for x in loader:
                total += {loss}.item()
        return total

    def test(self, held_out):
        return self.numbers(held_out)

    def fit(self, loader, held_out):
        for epoch in range(9):
            for x in loader:
                self.optimizer.zero_grad()
                {loss}.backward()
                self.optimizer.step()
            print(self.test(held_out))
        print(self.numbers(held_out))


Trainer(Net()).fit(DataLoader(data, shuffle=True), DataLoader(data))
"""


@pytest.mark.parametrize("loss", ["self.net.loss_of(x)", "self.net(x).square().mean()"])
def test_a_mode_is_put_back_for_whoever_comes_there_in_a_loop(loss: str) -> None:
    """Whatever the network is called in its own code, and whichever way is the shortest to the pass."""
    program = AROUND.format(loss=loss)
    mended = after(program, "missing-eval-mode")
    (before, eval_mode, rest) = mended.partition("self.net.eval()\n")
    assert eval_mode
    assert before.endswith("def numbers(self, loader):\n        total = 0\n        ")
    assert rest.count("self.net.train()\n") == 1
    assert "        self.net.train()\n        return total\n" in rest


def test_an_activation_stays_where_another_loss_of_the_statement_is_given_it_too() -> None:
    program = """\
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in data:
        optimizer.zero_grad()
        p = torch.softmax(model(x), dim=1)
        loss = nn.NLLLoss()(p, torch.zeros(4).long()) + p.square().mean()
        loss.backward()
        optimizer.step()
    """
    finding = found(program, "nll-on-unlogged-probabilities")
    assert (finding.repair, finding.unmended) == (None, "`p` is used elsewhere, too")


def test_a_network_without_a_name_where_its_method_is_called_is_put_into_no_mode_there() -> None:
    """What it is called in its own code is somebody else there."""
    program = AROUND.format(loss="self.nets[0].loss_of(x)").replace("self.net = net", "self.nets = [net]")
    assert found(program, "missing-eval-mode").repair is None


def test_a_network_that_overrides_its_loss_is_itself_there() -> None:
    own = "    def tested(self, x):\n        return super().loss_of(x)\n"
    program = AROUND.format(loss="self.net.tested(x)").replace("class Trainer:", f"class Own(Net):\n{own}\n\nclass Trainer:")
    assert "self.net.eval()\n" in after(program.replace("Trainer(Net())", "Trainer(Own())"), "missing-eval-mode")


def test_what_is_learned_from_beside_an_evaluation_keeps_its_graph() -> None:
    """The target network alone is put under `no_grad`, and neither the loop nor the function that has the other one."""
    program = """\
    class Policy:
        def learn(self, batch, longest):
            values, _ = self.get_q_values(batch, longest)
            loss = ((values - wanted.detach()) ** 2).sum() / len(batch)
            loss.backward()
            self.target_rnn.load_state_dict(self.eval_rnn.state_dict())

        def get_q_values(self, batch, longest):
            values, wanted = [], []
            for step in range(longest):
                value, self.eval_hidden = self.eval_rnn(batch, self.eval_hidden)
                goal, self.target_hidden = self.target_rnn(batch, self.target_hidden)
                values.append(value)
            return values, wanted
    """
    mended = after(program, "missing-no-grad")
    assert "with torch.no_grad():\n                goal, self.target_hidden = self.target_rnn(" in mended
    assert mended.count("no_grad") == 1


CYCLE = """\
to_a, to_b, is_a, is_b = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
makes = torch.optim.Adam([*to_a.parameters(), *to_b.parameters()])
judges_b = torch.optim.Adam(is_b.parameters())
for a, b in torch.utils.data.DataLoader(data):
    makes.zero_grad()
    (is_a(to_a(b)).mean() + is_b(to_b(a)).mean()).backward()
    {makes}
    loss = {judge}(b).mean()
    {own}
    judges_b.zero_grad()
    {other}
    judges_b.step()
"""


@pytest.mark.parametrize(
    ("makes", "judge", "own", "other", "mended"),
    [
        ("makes.step()", "is_a", "pass", "loss.backward()", False),
        ("pass", "is_a", "pass", "loss.backward()", True),
        ("makes.step()", "is_b", "loss.backward()", "pass", True),
    ],
)
def test_what_is_left_of_another_loss_is_not_stepped_with(makes: str, judge: str, own: str, other: str, mended: bool) -> None:
    """To clear it behind the step would train a discriminator on the loss of the generator."""
    program = CYCLE.format(makes=makes, judge=judge, own=own, other=other)
    finding = found(program, "zero-grad-discards-gradients")
    assert (finding.repair is not None) is mended
    assert ("other models than are cleared" in finding.unmended) is not mended


PARTS = """\
net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
one, other = torch.optim.SGD(net[0].parameters(), lr=0.1), torch.optim.SGD(net[1].parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(data):
    one.zero_grad()
    other.zero_grad()
    net(x).sum().backward()
    one.step()
    other.step()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
"""


def test_a_clip_that_is_late_for_several_optimizers_goes_before_the_first() -> None:
    mended = after(PARTS, "clip-after-step")
    assert mended.index("clip_grad_norm_") < mended.index("one.step()") < mended.index("other.step()")
