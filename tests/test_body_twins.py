"""A body that is put in eval mode by itself, whose network is in train mode as before; each program beside one that is right."""

from __future__ import annotations

import pytest
from twins import HEAD, Twin, names, told

from loopcheck import packs
from loopcheck.check import check_source, read_source
from loopcheck.fix import SAFE, UNSAFE
from loopcheck.loop import events

PROGRAM = """
class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


def load_body():
    body = Body()
    {loaded}
    return body


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = load_body()
        {made}
        self.norm = {norm}
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.norm(self.body(x)))


@torch.no_grad()
def validate(net, loader):
    {asked}
    return sum(nn.functional.mse_loss(net(x), y).item() for x, y in loader)


net = Net()
{behind}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    {begun}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    print(validate(net, TEST_LOADER))
"""
PLAIN = {"loaded": "pass", "made": "pass", "behind": "pass", "norm": "nn.BatchNorm1d(4)", "asked": "net.eval()", "begun": "pass"}
IN_EVAL = {
    "by what loads it": {"loaded": "body.eval()"},
    "where it is put": {"made": "self.body.eval()"},
}
UNDONE = {"begun": "net.train(); net.body.eval()"}
TWINS: dict[str, Twin] = {}
for where, put in IN_EVAL.items():
    TWINS[f"train mode comes back, of a body in eval mode {where}"] = (
        "missing-train-restore",
        PROGRAM,
        PLAIN | put | UNDONE,
        PLAIN | put,
    )
    TWINS[f"eval mode of what is around one in eval mode {where}"] = (
        "missing-eval-mode",
        PROGRAM,
        PLAIN | put | UNDONE,
        PLAIN | put | {"asked": "pass"},
    )
    TWINS[f"of what is the same in both modes around one in eval mode {where}"] = (
        "missing-eval-mode",
        PROGRAM,
        PLAIN | put | {"asked": "pass", "norm": "nn.LayerNorm(4)"},
        PLAIN | put | {"asked": "pass"},
    )


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


def _applicability(program: dict[str, str]) -> list[str]:
    rules = [rule for rule in packs.rules() if rule.code == "LC603"]
    report = check_source((HEAD + PROGRAM.format(**PLAIN | program)).encode(), "train.py", rules)
    return [each.repair.applicability for each in report.findings if each.repair]


def test_train_mode_for_all_is_safe_where_no_part_was_meant_to_stay_in_eval_mode() -> None:
    assert _applicability({}) == [SAFE]
    assert all(_applicability(put) == [UNSAFE] for put in IN_EVAL.values())


@pytest.mark.parametrize(
    ("put", "apart"), [({"loaded": "body.eval()"}, True), ({"behind": "net.eval(); net.body.eval()"}, False)]
)
def test_what_makes_a_network_puts_its_body_in_another_mode_than_the_rest(put: dict[str, str], apart: bool) -> None:
    program = read_source((HEAD + PROGRAM.format(**PLAIN | put)).encode(), "train.py")
    switched = [event for entry in program.entries for event in events(entry) if event.verb == "evaluate"]
    assert [event.facts["apart"] for event in switched if event.on[0].part_of] == [apart]


BY_PHASE = """
class Deep(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.Dropout(), nn.Linear(4, 2))

    def forward(self, x):
        return self.layers(x)


def make(kind):
    if kind == "deep":
        return Deep()
    elif kind == "flat":
        return nn.Sequential(nn.Linear(4, 2), nn.Dropout())
    else:
        raise ValueError(kind)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 2), nn.Dropout()).eval()

    def forward(self, x):
        return self.layers(x)


class Pair(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.body, self.judge = {made}, Judge()

    def loss(self, x, y):
        return nn.functional.mse_loss(self.judge(self.body(x)), self.judge(y))


parser = argparse.ArgumentParser()
parser.add_argument("--kind")
net = Pair(parser.parse_args().kind)
optimizer = torch.optim.SGD(net.body.parameters(), lr=0.1)
for epoch in range(3):
    for phase in ["train", "val"]:
        {switched}
        for x, y in LOADER if phase == "train" else TEST_LOADER:
            with torch.set_grad_enabled(phase == "train"):
                loss = net.loss(x, y)
            if phase == "train":
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
"""
BY_ITSELF = 'net.body.train() if phase == "train" else net.body.eval()'


@pytest.mark.parametrize("made", ["nn.Sequential(nn.Linear(4, 2), nn.Dropout())", "make(kind)"])
def test_a_part_that_goes_from_mode_to_mode_by_itself_is_in_one_of_them(made: str) -> None:
    assert "missing-eval-mode" not in names(BY_PHASE.format(made=made, switched=BY_ITSELF))
    assert "missing-eval-mode" in names(BY_PHASE.format(made=made, switched="pass"))


ADVISED = """
net, coach = nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.Dropout())
optimizer = torch.optim.SGD([*net.parameters(), *coach.parameters()], lr=0.1)


def look(loader):
    net.eval(), coach.eval()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x * coach(x)), x).item() for x, y in loader))


def train():
    net.train()
    {asked}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x * coach(x)), x).backward()
        optimizer.step()


for epoch in range(3):
    look(TEST_LOADER)
    {more}
    train()
"""


@pytest.mark.parametrize("more", ["pass", "look(TEST_LOADER)"])
def test_who_asks_for_eval_mode_where_it_trains_means_it(more: str) -> None:
    assert "missing-train-restore" not in names(ADVISED.format(asked="coach.eval()", more=more))
    assert "missing-train-restore" in names(ADVISED.format(asked="pass", more=more))
