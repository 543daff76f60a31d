"""The best model, runs that go on from a file, and loaders that not every run has, each beside its twin that is right."""

from __future__ import annotations

from textwrap import dedent

import pytest
from repairs import PRELUDE, planned
from twins import Twin, told

from loopcheck import loop_of, move, schedule

BEST = """
import copy


def evaluate(net):
    net.eval()
    with torch.no_grad():
        return sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER)


def train(net, optimizer):
    net.train()
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()


def load_weights(net):
    net.load_state_dict(torch.load("best.pt"))
    return net


def fit(net):
    optimizer = torch.optim.Adam(net.parameters())
    least, best_net, waited = float("inf"), None, 0
    {begins}
    for epoch in range(20):
        train(net, optimizer)
        loss = evaluate(net)
        if loss < least:
            {keeps}
            least, waited = loss, 0
        else:
            waited += 1
            if waited > 3:
                {waits}
                break
    {then}


fit(nn.Linear(4, 2))
"""
KEPT = {"begins": "pass", "keeps": "best_net = net", "waits": "pass", "then": "return best_net"}
SEARCH = """
def fit(rate):
    net = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    for epoch in range(5):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
    return net


def search():
    least, best, shared = float("inf"), None, nn.Linear(4, 2)
    optimizer = torch.optim.Adam(shared.parameters())
    for rate in (0.1, 0.01):
        net = {net}
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(shared(x), y).backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            loss = sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER)
        if loss < least:
            least, best = loss, {kept}
    torch.save(best, "best.pt")
    return best


search()
"""
RECORD = """
import copy

parser = argparse.ArgumentParser()
parser.add_argument("--resume")
args = parser.parse_args()
if args.resume:
    record = torch.load(args.resume)
else:
    record = {{"net": None, "least": float("inf")}}
net = nn.Linear(4, 2)
if args.resume:
    net.load_state_dict(record["net"])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(20):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        loss = sum(nn.functional.mse_loss(net(x), y).item() for x, y in TEST_LOADER)
    net.train()
    if loss < record["least"]:
        record["least"] = loss
        record["net"] = {state}
    torch.save(record, f"record{{epoch}}.pt")
"""
SOME_LOADER = """
import torch.distributed as dist
from torch.utils.data.distributed import DistributedSampler
from tqdm import tqdm

parser = argparse.ArgumentParser()
parser.add_argument("--only_test", action="store_true")
args = parser.parse_args()
dist.init_process_group("gloo")
data = TensorDataset(torch.randn(8, 4), torch.randn(8, 2))
if args.only_test:
    loader = None
else:
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
net = nn.parallel.DistributedDataParallel(nn.Linear(4, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(20):
    {begins}
    for x, y in tqdm(loader):
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
"""

OWN_FILE = """
import os

RESUME = False


def save(state, path="last.pt"):
    torch.save(state, path)


def load(checkpoint, net, optimizer):
    net.load_state_dict(checkpoint["net"])
    {loads}


def train(net, optimizer, epochs):
    for epoch in range(epochs):
        {first}
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        save({state})
        {saves}


net = nn.Linear(4, 2)
optimizer = {optimizer}
if RESUME:
    load(torch.load({path}), net, optimizer)
train(net, optimizer, 10)
{then}
"""
OWN = {
    "loads": "pass",
    "first": "pass",
    "state": '{"net": net.state_dict(), "optimizer": optimizer.state_dict()}',
    "saves": "pass",
    "optimizer": "torch.optim.Adam(net.parameters())",
    "path": '"last.pt"',
    "then": "pass",
}

CHOSEN = """
parser = argparse.ArgumentParser()
parser.add_argument("--schedule", default="step")
args = parser.parse_args()
net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
if args.schedule == "step":
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
{other}:
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
for epoch in range(20):
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    if {test}:
        scheduler.step()
"""
AGAIN = """
import copy

net = nn.Linear(4, 2)
kept = copy.deepcopy(net.state_dict())
optimizer = torch.optim.Adam(net.parameters())
memory = []
{loop}
    memory.append((torch.randn(3, 4), torch.randn(3, 2)))
    {begins}
    if len(memory) > 8:
        {makes}
        x, y = memory[-1]
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        {steps}
"""
LEARNS = {
    "loop": "while len(memory) < 100:",
    "begins": "pass",
    "makes": "optimizer = torch.optim.Adam(net.parameters())",
    "steps": "optimizer.step()",
}
PAST = """
net = nn.Linear(4, 2)
rate, fresh, last = 0.1, True, 0
optimizer = torch.optim.Adam(net.parameters(), lr=rate)
for epoch in range(20):
    if {test}:
        rate *= 0.9
        {makes}
    for x, y in LOADER:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    last = epoch + 5
"""
MADE = {"test": "epoch > 5", "makes": "optimizer = torch.optim.Adam(net.parameters(), lr=rate)"}


def learns(right: dict[str, str], wrong: dict[str, str] | None = None) -> Twin:
    """Twins of a program that learns from what it has gathered, with an optimizer that is made where it steps."""
    return "optimizer-recreated-in-loop", AGAIN, LEARNS | right, LEARNS | (wrong or {})


def past(right: dict[str, str], wrong: dict[str, str] | None = None) -> Twin:
    """Twins of a program that makes its optimizer anew from some epoch on."""
    return "optimizer-recreated-in-loop", PAST, MADE | right, MADE | (wrong or {})


def resumed(right: dict[str, str], wrong: dict[str, str] | None = None) -> Twin:
    """Twins of a program that begins with what it has written."""
    return "partial-restore", OWN_FILE, OWN | right, OWN | (wrong or {})


def best(right: dict[str, str], wrong: dict[str, str] | None = None) -> Twin:
    """Twins of a program that keeps the best model by another name."""
    return "aliased-best-weights", BEST, KEPT | right, KEPT | (wrong or {})


LOADING = """
import os
from collections import OrderedDict


def main(args):
    net = nn.Linear(4, 2)
    optimizer = {optimizer}
    first = 0
    if os.path.exists("last.pt"):
        {loads}
        {takes}
        {then}
    for epoch in range(first, 20):
        for x, y in LOADER:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        kept = {{"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}}
        torch.save(kept, "last.pt")


main(argparse.ArgumentParser().parse_args())
"""
LOADS = {
    "optimizer": "torch.optim.Adam(net.parameters())",
    "loads": 'file = torch.load("last.pt")',
    "takes": 'net.load_state_dict(file["net"])',
    "then": 'first = file["epoch"] + 1; optimizer.load_state_dict(file["optimizer"])',
}
WEIGHTS_ALONE = {"then": 'first = file["epoch"] + 1'}
TWO_LOADS = """if args.gpu is None:
            file = torch.load({one})
        else:
            file = torch.load("last.pt", map_location=args.gpu)"""
RENAMED = """state = {empty}
        for name, weight in file["net"].items():
            state[name.replace("module.", "")] = weight
        net.load_state_dict(state)"""
MERGED = 'own = net.state_dict(); own.update({k: v for k, v in file["net"].items() if k in own}); net.load_state_dict(own)'
TABLE = '{"adam": torch.optim.Adam, "sgd": torch.optim.SGD}[args.optimizer](net.parameters(), lr=0.1)'


def _left(**changes: str) -> Twin:
    """A run that goes on from the weights alone, and one that does so from all."""
    return "partial-restore", LOADING, LOADS | changes, LOADS | changes | WEIGHTS_ALONE


TWINS: dict[str, Twin] = {
    "one file, read in one way or another": _left(loads=TWO_LOADS.format(one='"last.pt"')),
    "one of two files": (
        "partial-restore",
        LOADING,
        LOADS | WEIGHTS_ALONE | {"loads": TWO_LOADS.format(one='"other.pt"')},
        LOADS | WEIGHTS_ALONE | {"loads": TWO_LOADS.format(one='"last.pt"')},
    ),
    "weights under this name or that": _left(takes='net.load_state_dict(file["net"] if "net" in file else file["model"])'),
    "weights under names made anew": _left(
        takes='net.load_state_dict({name.replace("module.", ""): weight for name, weight in file["net"].items()})'
    ),
    "weights under names made anew by a loop": _left(takes=RENAMED.format(empty="OrderedDict()")),
    "weights in a dict that a loop fills": _left(takes=RENAMED.format(empty="{}")),
    "weights beside those that are there": _left(takes=MERGED),
    "an optimizer of a table": _left(optimizer=TABLE),
    "a best model that is returned": best({"keeps": "best_net = copy.deepcopy(net)"}),
    "one that is returned in a tuple": best({"keeps": "best_net = copy.deepcopy(net)"}, {"then": "return best_net, least"}),
    "one that is kept with another name": best(
        {"keeps": "best_net, least = copy.deepcopy(net), loss"}, {"keeps": "best_net, least = net, loss"}
    ),
    "one that is saved at the end": best({"then": "print(best_net)"}, {"then": 'torch.save(best_net.state_dict(), "best.pt")'}),
    "one that is handed on": best({"then": "print(best_net)"}, {"then": "return evaluate(best_net)"}),
    "one that is handed on by its name": best({"then": "print(best_net)"}, {"then": "return evaluate(net=best_net)"}),
    "one that is applied": best({"then": "best_net.eval()"}, {"then": "return best_net(torch.randn(2, 4))"}),
    "one that is saved when it is known": best(
        {"keeps": 'best_net = net; torch.save(best_net.state_dict(), "best.pt")', "then": "return least"}
    ),
    "one that is evaluated when it is known": best(
        {"keeps": "best_net = net; print(evaluate(best_net))", "then": "return least"}
    ),
    "one that ends the training": best({"keeps": "best_net = net; break"}),
    "one that is filled from a file": best({"then": 'best_net.load_state_dict(torch.load("best.pt"))\n    return best_net'}),
    "one that is filled by another name": best({"then": 'net.load_state_dict(torch.load("best.pt"))\n    return best_net'}),
    "one that a function fills": best({"then": "best_net = load_weights(best_net)\n    return best_net"}),
    "one that another goes on from": best(
        {"keeps": "best_net = net; net = copy.deepcopy(net); optimizer = torch.optim.Adam(net.parameters())"}
    ),
    "one that is saved when patience is over": best(
        {"waits": 'torch.save(net.state_dict(), "last.pt")', "then": "return least"},
        {"waits": 'torch.save(best_net.state_dict(), "best.pt")', "then": "return least"},
    ),
    "one that nobody calls the best": best({"keeps": "now = net", "then": "return now"}),
    "one that every pass takes": best({"keeps": "pass\n        best_net = net\n        if epoch > 3:\n            pass"}),
    "a name that is no other": best({"keeps": "best_net = best_net"}),
    "a name that a setting gives before any training": best(
        {"begins": "if torch.cuda.is_available(): best_net = net", "keeps": 'torch.save(net.state_dict(), "best.pt")'}
    ),
    "a name that stood there before": best(
        {"keeps": 'torch.save(net.state_dict(), "best.pt")', "then": "best_net = net\n    return best_net"}
    ),
    "a model of its own for each rate": (
        "aliased-best-weights",
        SEARCH,
        {"net": "fit(rate)", "kept": "net"},
        {"net": "shared", "kept": "net"},
    ),
    "a state of a model of its own for each rate": (
        "aliased-best-weights",
        SEARCH,
        {"net": "fit(rate)", "kept": "net.state_dict()"},
        {"net": "shared", "kept": "net.state_dict()"},
    ),
    "a record that may be one from a file": (
        "aliased-best-weights",
        RECORD,
        {"state": "copy.deepcopy(net.state_dict())"},
        {"state": "net.state_dict()"},
    ),
    "a run that begins with what it has written": resumed({"loads": 'optimizer.load_state_dict(checkpoint["optimizer"])'}),
    "what another program has written": resumed({"path": '"pretrained.pt"'}),
    "a file that has the weights alone": resumed({"state": '{"net": net.state_dict()}'}),
    "files for the weights and for the optimizer": resumed(
        {"state": '{"net": net.state_dict()}'},
        {"state": '{"net": net.state_dict()}', "saves": 'torch.save(optimizer.state_dict(), "optimizer.pt")'},
    ),
    "an optimizer that keeps nothing": resumed({"optimizer": "torch.optim.SGD(net.parameters(), lr=0.1)"}),
    "a second stage that begins with the best weights": resumed(
        {"path": '"first.pt"', "then": 'load(torch.load("last.pt"), net, optimizer)\ntrain(net, optimizer, 5)'}
    ),
    "weights that are put back in training": resumed(
        {"path": '"first.pt"', "first": 'if os.path.exists("stop"): load(torch.load("last.pt"), net, optimizer)'}
    ),
    "a test that every plateau passes": (
        "plateau-without-metric",
        CHOSEN,
        {"other": 'elif args.schedule == "plateau"', "test": 'args.schedule != "plateau"'},
        {"other": 'elif args.schedule == "plateau"', "test": 'args.schedule != "poly"'},
    ),
    "a test that may be about a plateau": (
        "plateau-without-metric",
        CHOSEN,
        {"other": "else", "test": 'args.schedule != "plateau"'},
        {"other": 'elif args.schedule == "plateau"', "test": 'args.schedule != "none"'},
    ),
    "a test that may be about what a method says of a name": (
        "plateau-without-metric",
        CHOSEN,
        {"other": 'elif args.schedule.startswith("p")', "test": 'args.schedule != "plateau"'},
        {"other": 'elif args.schedule == "plateau"', "test": 'args.schedule != "poly"'},
    ),
    "a test that asks for another schedule": (
        "plateau-without-metric",
        CHOSEN,
        {"other": 'elif args.schedule == "plateau"', "test": 'args.schedule == "step"'},
        {"other": "else", "test": "epoch > 2"},
    ),
    "an optimizer that is made where it steps": learns({"makes": "pass"}),
    "one that is made where it steps, in a loop that counts": learns(
        {"loop": "for step in range(100):", "makes": "pass"}, {"loop": "for step in range(100):"}
    ),
    "one that is made where only some passes step": learns({"steps": "if len(memory) % 2 == 0:\n            optimizer.step()"}),
    "one of another model in each pass": learns({"begins": "net = nn.Linear(4, 2)"}),
    "one that is made where the weights go back": learns({"begins": "net.load_state_dict(kept)"}),
    "one that is made where the weights go back now and then": learns(
        {"begins": "if len(memory) % 20 == 0: net.load_state_dict(kept)"}
    ),
    "one that steps by a closure until it has come to its end": learns(
        {"makes": "optimizer = torch.optim.LBFGS(net.parameters())", "steps": "optimizer.step(lambda: 1.0)"},
        {"makes": "optimizer = torch.optim.LBFGS(net.parameters())", "loop": "for step in range(100):"},
    ),
    "one that keeps nothing": learns({"makes": "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)"}),
    "one that is made anew from some epoch on": past({"makes": 'optimizer.param_groups[0]["lr"] = rate'}),
    "one that is made anew in one epoch": past({"test": "epoch == 5"}, {"test": "epoch >= 5"}),
    "one that is made anew in some epochs": past({"test": "epoch % 5 == 0"}),
    "one that is made anew before some epoch": past({"test": "epoch < 2"}),
    "one that is made anew once, by a flag": past({"test": "epoch > 5 and fresh", "makes": MADE["makes"] + "; fresh = False"}),
    "one that is made anew where what is asked for changes": past({"test": "epoch > 2 and epoch >= last"}),
    "one that is made anew for a few epochs": past({"test": "epoch > 5 and epoch < 8"}),
    "a loader that only some runs have, behind a bar": (
        "missing-set-epoch",
        SOME_LOADER,
        {"begins": "sampler.set_epoch(epoch)"},
        {"begins": "pass"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)


@pytest.mark.parametrize(("test", "moves"), [("epoch > 2", False), ("batches", False), ("verbose", True)])
def test_a_test_of_what_a_loop_changes_is_not_asked_before_it(test: str, moves: bool) -> None:
    program = f"""\
    for epoch in range(9):
        batches.append(epoch)
        if {test}:
            scheduler.step()
            print(epoch)
        optimizer.step()
    """
    repair = planned(move(schedule, before=loop_of(schedule)), (PRELUDE + dedent(program)).encode())
    assert (repair is not None) == moves
