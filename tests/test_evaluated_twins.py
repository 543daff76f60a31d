"""What is evaluated, or trained in the wrong mode, in ways that tell it late, each beside its twin that is right."""

from __future__ import annotations

from textwrap import dedent

import pytest
from twins import HEAD, Twin, names, told

from loopcheck import packs
from loopcheck.check import check_source

TESTED = """
import registry

net = {made}
correct = 0
for x, y in TEST_LOADER:
    correct += (net{applied}(x).argmax(1) == y.argmax(1)).sum().item()
print(correct)
"""
SHOWN = """
import glob

from PIL import Image

model = torch.load({file}){way}
for path in glob.glob("*.png"):
    x = torchvision.transforms.functional.to_tensor(Image.open(path))
    {around}
    print(model(x.unsqueeze(0)).argmax(1).item())
"""
POLICY = """
import random

import numpy


class Agent:
    def __init__(self, still):
        self.still = still
        self.q = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.q.parameters())

    def act(self, x, epsilon):
        number = {number}
        if {explores}:
            return random.randrange(2)
        self.q.eval()
        with torch.no_grad():
            values = self.q(x)
        {after}
        return values.argmax(1)

    def learn(self, x, y):
        loss = nn.functional.mse_loss(self.q(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


parser = argparse.ArgumentParser()
parser.add_argument("--still", action="store_true")
agent = Agent(parser.parse_args().still)
{first}
for episode in range(9):
    for x, y in LOADER:
        agent.act(x, 0.1)
        agent.learn(x, y)
"""
CHANCE = {"number": "random.random()", "explores": "number < epsilon", "after": "x = values", "first": "agent.q.cpu()"}
PREPARED = "for x, y in LOADER:\n    agent.learn(x, y)"
WRAPPED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


torch.distributed.init_process_group("nccl")
model = nn.parallel.DistributedDataParallel(Net().cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in LOADER:
    {first}
    {computed}
    optimizer.zero_grad()
    nn.functional.mse_loss(out, y).backward()
    optimizer.step()
    with torch.no_grad():
        print(model(x).std())
"""
PARTS = {"first": "x = x.cuda()", "computed": "out = model.module.head(model.module.body(x))"}
LEARNED = """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
others = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8, 2)))


def learn():
    net.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()


def accuracy(loader):
    right = 0
    for x, y in loader:
        out = net(x)
        {read}
    return right


for epoch in range(4):
    learn()
    {inside}
{before}
{last}
{behind}
"""
MEASURED = {
    "read": "right += (out.argmax(1) == y.argmax(1)).sum().item()",
    "inside": "print(epoch)",
    "before": "print()",
    "last": "print(accuracy(LOADER))",
    "behind": "print()",
}
PLAYED = """
class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        {filled}

    def choose_action(self, state):
        values = self.net(torch.as_tensor(state))
        {kept}
        return values.argmax(1).item()

    def learn(self, x, y):
        optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        nn.functional.mse_loss(self.net(x), y).backward()
        optimizer.step()


agent = Agent()
state, over = world.reset(), False
while not over:
    state, over = world.step(agent.choose_action(state))
    {behind}
"""
PLAYS = {
    "filled": 'self.net.load_state_dict(torch.load("policy.pth"))',
    "kept": "print(state)",
    "behind": "print(over)",
}
THREAD = """
import threading


class Shower(threading.Thread):
    def __init__(self, stream):
        super().__init__()
        self.stream = stream
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
        self.net.load_state_dict(torch.load("net.pth"))

    def run(self):
        {mode}
        while True:
            x = self.stream.get()
            with torch.no_grad():
                print(self.net(x).argmax(1).item())


def begin(stream):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
    net.load_state_dict(torch.load("net.pth"))
    {other}

    def show():
        for x in stream:
            with torch.no_grad():
                print(net(x).argmax(1).item())

    threading.Thread(target=show, daemon=True).start()


{started}
"""
BESIDE = """
import sys
import threading


class Watch(threading.Thread):
    def run(self):
        print(net(torch.ones(1, 4)).sum().item())
        sys.exit()


net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
Watch(daemon=True).start()
for x, y in LOADER:
    {cleared}
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
"""
TWINS: dict[str, Twin] = {
    **{
        f"a dropout behind a test of an option{where}": (
            "missing-eval-mode",
            """
class Scorer(nn.Module):
    def __init__(self, dropout=False):
        super().__init__()
        self.body, self.head = nn.Linear(4, 8), nn.Linear(8, 2)
        self.dropout_layer = nn.Dropout(0.1)
        self.dropout = dropout

    def forward(self, x):
        x = self.body(x)
        if self.dropout:
            x = self.dropout_layer(x)
        {then}
        return self.head(x)


scorer = Scorer({given})
scorer.load_state_dict(torch.load("scorer.pt"))
with torch.no_grad():
    print(sum((scorer(x).argmax(1) == y).sum().item() for x, y in TEST_LOADER))
""",
            {"given": "", "then": "pass"},
            wrong,
        )
        for where, wrong in {
            "": {"given": "dropout=True", "then": "pass"},
            ", and without one": {"given": "", "then": "x = self.dropout_layer(x)"},
        }.items()
    },
    "gradients that processes average by hand": (
        "forward-bypasses-wrapper",
        """
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
model = DistributedDataParallel(nn.Linear(4, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(model.module(x), y).backward()
    for p in model.parameters():
        {exchange}
    optimizer.step()
""",
        {"exchange": "dist.all_reduce(p.grad)"},
        {"exchange": "print(p.grad.norm())"},
    ),
    "a network that comes out of a file whole": (
        "missing-no-grad",
        TESTED,
        {"made": 'fetch("net.pth")', "applied": ""},
        {"made": 'torch.load("net.pth")', "applied": ""},
    ),
    "a network under a key of a file": (
        "missing-no-grad",
        TESTED,
        {"made": 'fetch("net.pth")["net"]', "applied": ""},
        {"made": 'torch.load("net.pth")["net"].to("cpu")', "applied": ""},
    ),
    "what is called and is no estimator that has a method of its own": (
        "missing-no-grad",
        TESTED,
        {"made": 'torch.load("net.pth")', "applied": ".predict"},
        {"made": 'torch.load("net.pth")', "applied": ""},
    ),
    "what is made by a setting that a file holds": (
        "missing-no-grad",
        TESTED,
        {"made": 'registry.find(torch.load("net.pth").width)', "applied": ""},
        {"made": 'torch.load("net.pth").encoder', "applied": ""},
    ),
    "a program that is there for the network of a file": (
        "missing-no-grad",
        SHOWN,
        {"file": '"net.pth"', "way": ".cuda()", "around": "torch.set_grad_enabled(False)"},
        {"file": '"net.pth"', "way": ".cuda()", "around": "x = x.cuda()"},
    ),
    "a policy that acts in eval mode where chance does not have it explore": (
        "training-in-eval-mode",
        POLICY,
        {**CHANCE, "after": "self.q.train()"},
        CHANCE,
    ),
    "a number that a generator of numpy draws": (
        "training-in-eval-mode",
        POLICY,
        {**CHANCE, "number": "read_sensor()"},
        {**CHANCE, "number": "numpy.random.uniform(0, 1)"},
    ),
    "a number of torch": (
        "training-in-eval-mode",
        POLICY,
        {**CHANCE, "explores": "number < epsilon or not self.still"},
        {**CHANCE, "number": "torch.rand(1).item()"},
    ),
    "a policy that has learned before in the mode that it was made in": (
        "training-in-eval-mode",
        POLICY,
        {**CHANCE, "first": PREPARED},
        {**CHANCE, "first": "agent.q.train()"},
    ),
    "what a thread does once it is started": (
        "missing-eval-mode",
        THREAD,
        {"mode": "self.net.eval()", "other": "net.eval()", "started": "Shower(stream).start()"},
        {"mode": "print()", "other": "net.eval()", "started": "Shower(stream).start()"},
    ),
    "a function that a thread is given": (
        "missing-eval-mode",
        THREAD,
        {
            "mode": "self.net.eval()",
            "other": "net.eval()",
            "started": "begin(stream)",
        },
        {
            "mode": "self.net.eval()",
            "other": "print()",
            "started": "begin(stream)",
        },
    ),
    "training beside a thread that ends itself": (
        "missing-zero-grad",
        BESIDE,
        {"cleared": "optimizer.zero_grad()"},
        {"cleared": "print(x.shape)"},
    ),
    "a policy that plays in a program that trains nothing": (
        "missing-no-grad",
        PLAYED,
        {**PLAYS, "behind": "agent.learn(*world.batch())"},
        PLAYS,
    ),
    "a policy that begins with random weights": (
        "missing-no-grad",
        PLAYED,
        {**PLAYS, "filled": "self.net.eval()"},
        PLAYS,
    ),
    "a policy whose values code out of sight is told": (
        "missing-no-grad",
        PLAYED,
        {**PLAYS, "kept": "world.remember(values)"},
        PLAYS,
    ),
    "a policy that plays on a test world and learns meanwhile": (
        "missing-no-grad",
        PLAYED,
        {
            **PLAYS,
            "behind": "agent.learn(*world.batch())\nagent.net.eval()\nfor test in world.tests():\n    agent.choose_action(test)",
        },
        PLAYS,
    ),
    "accuracy on what was learned, in the mode of training": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "before": "net.eval()"},
        MEASURED,
    ),
    "accuracy on what was learned, with graphs": (
        "missing-no-grad",
        LEARNED,
        {**MEASURED, "before": "torch.set_grad_enabled(False)"},
        MEASURED,
    ),
    "a pass of which nothing is read, for the statistics of batch norms": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "read": "right += len(x)"},
        MEASURED,
    ),
    "a pass after which training goes on": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "behind": "learn()"},
        MEASURED,
    ),
    "a pass in a mode that is asked for, once training is over": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "before": "net.train()"},
        MEASURED,
    ),
    "a pass between two of training": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "inside": "print(accuracy(LOADER))", "last": "print()"},
        MEASURED,
    ),
    "data that nothing says anything of, while it trains": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "inside": "print(accuracy(others))", "last": "print()"},
        {**MEASURED, "last": "print(accuracy(others))"},
    ),
    "numbers out of the air, once training is over": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "last": "print(net(torch.randn(8, 4)).argmax(1).tolist())"},
        {**MEASURED, "last": "print(net(torch.load('held.pt')).argmax(1).tolist())"},
    ),
    "noise that is put together with labels, once training is over": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "last": "print(net(torch.cat([torch.randn(2, 2), torch.eye(2)], 1)).argmax(1).tolist())"},
        {**MEASURED, "last": "print(net(torch.cat([torch.load('held.pt'), torch.eye(2)], 1)).argmax(1).tolist())"},
    ),
    "a mode that is asked for again, once training is over": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "before": "net.train()", "last": "print(accuracy(others))"},
        {**MEASURED, "last": "print(accuracy(others))"},
    ),
    "what is asked of a network that is done learning, in a mode that a measurement leaves": (
        "missing-eval-mode",
        LEARNED,
        {**MEASURED, "inside": "net.eval(); net.train(); net.eval()", "last": "print(accuracy(others))"},
        {**MEASURED, "inside": "net.eval(); net.train()", "last": "print(accuracy(others))"},
    ),
    "parts of a wrapped model that are applied by themselves": (
        "forward-bypasses-wrapper",
        WRAPPED,
        {**PARTS, "computed": "out = model(x)"},
        PARTS,
    ),
    "a part besides the whole, which the wrapper is told of": (
        "forward-bypasses-wrapper",
        WRAPPED,
        {**PARTS, "computed": "out = model.module.head(model.module.body(x)) + model(x)"},
        PARTS,
    ),
    "a part that nobody learns from": (
        "forward-bypasses-wrapper",
        WRAPPED,
        {"first": "with torch.no_grad():\n        print(model.module.body(x).std())", "computed": "out = model(x)"},
        {"first": "with torch.no_grad():\n        print(model.module.body(x).std())", "computed": PARTS["computed"]},
    ),
}


BLANK = """
class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))

    def forward(self, x):
        return self.layers(x)


net, other = Own(), Own()
{filled}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net.train()
for x, y in LOADER:
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()
with torch.no_grad():
    print(sum((other(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))
"""
TWINS["another network, once the training of one is over"] = (
    "missing-eval-mode",
    BLANK,
    {"filled": "print(other)"},
    {"filled": "other.load_state_dict(torch.load('other.pt'))"},
)

PICTURES = """
from torch.utils.tensorboard import SummaryWriter

makes, judges = nn.Linear(4, 4), nn.Linear(4, 1)
optimizer = torch.optim.Adam(makes.parameters())
writer = SummaryWriter()
for epoch in range(9):
    for x, y in LOADER:
        optimizer.zero_grad()
        judges(makes(x)).mean().backward()
        optimizer.step()
    made = makes(torch.randn(36, 4))
    writer.{shows}
    {then}
"""
LEARNS = "judges(made).mean().backward()"
PICTURED = {"shows": "add_image('made', torchvision.utils.make_grid(made.view(36, 1, 2, 2)), epoch)", "then": "pass"}
DISPATCHED = """
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--mode", choices=["train", "measure", "both"])
args = parser.parse_args()


def measure(path):
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
    net.load_state_dict(torch.load(path))
    {mode}
    with torch.no_grad():
        print(sum((net(x).argmax(1) == y.argmax(1)).sum().item() for x, y in TEST_LOADER))


def main():
    if args.mode == "measure":
        measure("net.pt")
        {left}
    net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    torch.save(net.state_dict(), "net.pt")


main()
"""
TWINS |= {
    f"an evaluation that is left before anything trains, by {left}": (
        "missing-eval-mode",
        DISPATCHED,
        {"left": left, "mode": "net.eval()"},
        {"left": left, "mode": "pass"},
    )
    for left in ("return", "sys.exit()", "return None if TEST_LOADER else sys.exit(1)")
}
ONE_GRAPH = """
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters())
graph = torch.load("graph.pt")
losses = []
for epoch in range(200):
    net.train()
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(graph.x)[graph.first], graph.y[graph.first]).backward()
    optimizer.step()
    net.eval()
    with {context}:
        held_out = nn.functional.cross_entropy(net(graph.x)[graph.others], graph.y[graph.others])
    {kept}
"""
OF_ONE_GRAPH = {"context": "contextlib.nullcontext()", "kept": "loss = held_out\n    losses.append(loss.detach())"}
TWINS["a loss that is cut from its graph and kept"] = (
    "missing-no-grad",
    ONE_GRAPH,
    OF_ONE_GRAPH | {"context": "torch.no_grad()"},
    OF_ONE_GRAPH,
)
TWINS |= {
    f"pictures of what is trained, {kind}": ("missing-no-grad", PICTURES, PICTURED | wrong | {"then": right}, PICTURED | wrong)
    for kind, right, wrong in [
        ("and a loss of them", LEARNS, {}),
        ("kept for later", "writer.kept = made", {}),
        ("and a loss of all of them", LEARNS, {"shows": "add_images('made', made.detach().cpu(), epoch)"}),
        ("whose numbers are taken", LEARNS, {"shows": "add_images('made', made.data.cpu(), epoch)"}),
        ("and their numbers in a text", LEARNS, {"shows": "add_text('made', f'{made.mean()}', epoch)"}),
    ]
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


RIGHT = {
    "what a batch comes to that was learned just now": (
        "missing-eval-mode",
        """
        net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), -y).backward()
            optimizer.step()
            print(net(x).argmax(1).sum().item())
        """,
    ),
    "a look at the data instead of training": (
        "missing-eval-mode",
        """
        parser = argparse.ArgumentParser()
        parser.add_argument("--learn", action="store_true")
        net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        if parser.parse_args().learn:
            for x, y in LOADER:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(x), y).backward()
                optimizer.step()
        else:
            for x, y in LOADER:
                print(net(x).argmax(1).sum().item())
        """,
    ),
    "features of a wrapped discriminator, that the generator is to match": (
        "forward-bypasses-wrapper",
        """
        class Judge(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
                self.head = nn.Linear(8, 1)

            def forward(self, x):
                return self.head(self.body(x))


        torch.distributed.init_process_group("nccl")
        judge = nn.parallel.DistributedDataParallel(Judge().cuda())
        maker = nn.parallel.DistributedDataParallel(nn.Linear(2, 4).cuda())
        learns = torch.optim.Adam(judge.parameters()), torch.optim.Adam(maker.parameters())
        for x, z in LOADER:
            learns[1].zero_grad()
            nn.functional.mse_loss(judge.module.body(maker(z)), judge.module.body(x).detach()).backward()
            learns[1].step()
            learns[0].zero_grad()
            (judge(maker(z).detach()) - judge(x)).mean().backward()
            learns[0].step()
        """,
    ),
    "batches of which chance takes some in eval mode, and the others not": (
        "training-in-eval-mode",
        """
        import random

        net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in LOADER:
            if random.random() < 0.1:
                net.eval()
            else:
                net.train()
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        """,
    ),
    "a network whose batch norms are left as they are from some epoch on": (
        "training-in-eval-mode",
        """
        net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(20):
            if epoch > 15:
                net.eval()
            for x, y in LOADER:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(x), y).backward()
                optimizer.step()
        """,
    ),
    "a mode that every epoch ends in, which is another rule's": (
        "training-in-eval-mode",
        """
        net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(20):
            for x, y in LOADER:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(x), y).backward()
                optimizer.step()
            net.eval()
            with torch.no_grad():
                print(sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER))
        """,
    ),
    "another network than the one that learns is in eval mode by chance": (
        "training-in-eval-mode",
        """
        import random

        net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
        teacher = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for x, y in LOADER:
            if random.random() < 0.1:
                teacher.eval()
                with torch.no_grad():
                    y = teacher(x)
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        """,
    ),
    "a class that a file holds is made, and not applied": (
        "missing-no-grad",
        """
        Net = torch.load("net_class.pth")
        for size in range(4):
            print(Net(size).name.item())
        """,
    ),
    "a network of a file whose inputs are asked for gradients": (
        "missing-no-grad",
        """
        model = torch.load("net.pth")
        for x, y in TEST_LOADER:
            x.requires_grad_()
            print(torch.autograd.grad(model(x).sum(), x)[0].abs().max().item())
        """,
    ),
    "a network of a file that is frozen": (
        "missing-no-grad",
        """
        model = torch.load("net.pth").cuda()
        for p in model.parameters():
            p.requires_grad = False
        for x, y in TEST_LOADER:
            print(model(x.cuda()).argmax(1).sum().item())
        """,
    ),
    "a network of a file that is trained on": (
        "missing-no-grad",
        """
        model = torch.load("net.pth")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x, y in LOADER:
            out = model(x)
            print(out.argmax(1).sum().item())
            optimizer.zero_grad()
            nn.functional.mse_loss(out, y).backward()
            optimizer.step()
        """,
    ),
    "an index of words that a file holds": (
        "missing-no-grad",
        """
        import glob

        vocab = torch.load("vocab.pt")
        for path in glob.glob("*.txt"):
            print(vocab(path).item())
        """,
    ),
}


def test_parts_that_go_past_one_wrapper_are_told_once() -> None:
    program = dedent(HEAD + WRAPPED.format(**PARTS)).encode()
    found = [each for each in check_source(program, "train.py", packs.rules()).findings if each.rule.code == "LC709"]
    assert len(found) == 1


@pytest.mark.parametrize(("rule", "program"), RIGHT.values(), ids=RIGHT.keys())
def test_of_these_programs_nothing_is_told(rule: str, program: str) -> None:
    assert rule not in names(program)
