"""Networks of which neither class nor building is in sight, each way beside its twin in which the same is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

TAUGHT = """
class Learner(nn.Module):
    def learn(self, x, y):
        self.optimizer.step()

    def evaluate(self, loader):
        scores = []
        for x, y in loader:
            scores.extend(self.teacher.generate_scores(x).cpu().detach().tolist())
        return scores


class Teacher(nn.Module):
    def generate_scores(self, x):
        with {it}:
            return self.net(x)
"""
PICKED = """
from elsewhere import cfg, pick

net = nn.Linear(4, 2)
optimizer = {by}
for x, y in LOADER:
    {clear}
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
CLEARED = {"clear": "optimizer.zero_grad()"}
ADDED_UP = {"clear": "pass"}
TABLE = """
from absl import flags

FLAGS = flags.FLAGS


class Slim(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(4, 2), nn.Dropout())


class Wide(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(4, 2), {layer})


NETS = {{"slim": {slim}, "wide": Wide}}
net = NETS[FLAGS.network]()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
"""
SLID = """
from monai.inferers import SlidingWindowInferer, sliding_window_inference
from monai.losses import DiceLoss
from monai.networks import nets

net = nets.{net}
criterion = DiceLoss(softmax=True)
inferer = SlidingWindowInferer((96, 96, 96), 4)
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    net.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        criterion(net(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        print(sum(({outputs}.argmax(1) == y).sum().item() for x, y in TEST_LOADER))
"""
BY_FUNCTION = {"outputs": "sliding_window_inference(x, (96, 96, 96), 4, net)"}
BY_OBJECT = {"outputs": "inferer(x, net)"}
BY_CASE = {"net": "UNet(spatial_dims=3, in_channels=1, out_channels=2, channels=(4, 8), strides=(2,))"}
MOVED = """
class Learner:
    def __init__(self, net, rate):
        self.net = net
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(self.net.parameters(), rate)

    def cuda(self):
        self.criterion = {it}

    def learn(self, x, y):
        self.optimizer.zero_grad()
        self.criterion(torch.softmax(self.net(x), 1), y).backward()
        self.optimizer.step()
"""
NET = """
class Net{at}(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 2), nn.Dropout())

    def forward(self, x):
        return self.body(x)

"""
MADE = """if sys.argv[1] == "{at}":
    net = Net{at}()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""
EPOCHS = """
for epoch in range(3):
    {begins}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
"""


def _one_of(count: int) -> str:
    """A program for one of so many networks."""
    classes, arms = ([each.format(at=at) for at in range(count)] for each in (NET, MADE))
    return "\n".join(["import sys\n", *classes, "el".join(arms), EPOCHS])


TWINS: dict[str, Twin] = {
    "a criterion that is moved": (
        "softmax-before-cross-entropy",
        MOVED,
        {"it": "self.other.cuda()"},
        {"it": "self.criterion.cuda()"},
    ),
    **{
        f"windows of {net}, {given['outputs'].partition('(')[0]}": (
            "missing-eval-mode",
            SLID,
            given | BY_CASE,
            given | {"net": net},
        )
        for given in (BY_FUNCTION, BY_OBJECT)
        for net in (
            "AttentionUnet(3, 1, 2, (4, 8), (2,))",
            "UNet(3, 1, 2, (4, 8), (2,), norm=Norm.BATCH)",
            "UNet(3, 1, 2, dropout=0.1)",
        )
    },
    **{
        f"one of {count} networks": ("missing-train-restore", _one_of(count), {"begins": "net.train()"}, {"begins": "pass"})
        for count in (2, 6)
    },
    "a network of a table, by a flag": (
        "missing-train-restore",
        TABLE,
        {"layer": "nn.ReLU()", "slim": "Wide"},
        {"layer": "nn.BatchNorm1d(2)", "slim": "Slim"},
    ),
    "a method that some class has": (
        "missing-no-grad",
        TAUGHT,
        {"it": "torch.no_grad()"},
        {"it": "torch.autocast('cpu')"},
    ),
    **{
        f"an optimizer that is picked, {by}": ("missing-zero-grad", PICKED, CLEARED | {"by": by}, ADDED_UP | {"by": by})
        for by in (
            "eval(cfg.optimizer)(net.parameters(), lr=0.1)",
            "eval('torch.optim.' + cfg.name)(net.parameters(), lr=0.1)",
            "pick(cfg)(net.parameters())",
            "cfg.pick()(net.parameters())",
            "pick(net.parameters())",
            "cfg.init('optimizer', net.parameters())",
        )
    },
}


@pytest.mark.parametrize("pair", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(pair: Twin) -> None:
    assert told(pair) == (False, True)


@pytest.mark.parametrize("pair", TWINS.values(), ids=TWINS.keys())
def test_both_of_these_twins_are_programs(pair: Twin) -> None:
    _, program, *both = pair
    for each in both:
        compile(program.format(**each), "train.py", "exec")
