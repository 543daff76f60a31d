"""What is kept of states, losses and outputs over batches and epochs, each beside its twin that is right."""

from __future__ import annotations

import pytest
from twins import Twin, told

STEP = """
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()"""
COMPARES = f"""
import copy


def subtract(new, old):
    return {{{{name: new[name] - old[name] for name in new}}}}


class Movement:
    def __init__(self):
        self.last = None

    def update(self, net):
        if self.last is not None:
            for name, weight in net.named_parameters():
                print(name, (weight - self.last[name]).norm())
        self.last = {{kept}}


net, other = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2)), nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
optimizer = torch.optim.Adam([*net.parameters(), *other.parameters()])
movement = Movement()
old = {{taken}}
for epoch in range(3):
    for x, y in LOADER:
        nn.functional.mse_loss(other(x), y).backward(){STEP}
    new = net.state_dict()
    {{compares}}
"""
COMPARED = COMPARES.replace("{kept}", "None")
GATHERED = f"""
import collections

net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
{{{{before}}}}
for epoch in range(3):
    {{{{begins}}}}
    for i, (x, y) in enumerate(LOADER):
        out = net(x){STEP.replace("net(x)", "out")}
        {{gathers}}
    {{{{ends}}}}
"""


def gathered(
    right: str, wrong: str, before: str = "pass", begins: str = "pass", ends: str = "pass", gathers: str = "{gathers}"
) -> Twin:
    """What a pass does with a loss or an output, right and wrong. gathers: how, where the two have that in common."""
    program = GATHERED.format(gathers=gathers).format(before=before, begins=begins, ends=ends, gathers="{gathers}")
    return "graph-retained-in-metric", program, {"gathers": right}, {"gathers": wrong}


FIRST = "if i == 0:\n            outs = {0}\n        else:\n            outs = torch.cat((outs, {0}))"
WINDOW = f"""
class Window:
    def __init__(self):
        self.values = []

    def update(self, value):
        self.values.append(value)
        {{cuts}}


net, window = nn.Linear(4, 2), Window()
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:{STEP}
        window.update(loss)
"""
RECORD = """
from dataclasses import dataclass, field


def others():
    return print


@dataclass
class Record:
    values: list = field(default_factory=list)
    others: list = field(default_factory=others)


@dataclass
class Row:
    loss: object
    step: int


record, rows = Record(), []
"""
MEAN = """
class Mean:
    def __init__(self):
        self.sum = 0

    def __iadd__(self, value):
        self.sum = self.sum + value
        return self


mean = Mean()
"""
LOG = """
history = []


def log(value):
    history.append(value)


"""
EMPTIED = f"""
history = []


def log(value):
    history.append(value)


def flush():
    {{empties}}


net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:{STEP}
        log(loss)
        flush()
"""
NESTED = f"""
def train(net, optimizer):
    losses = []

    def log(value):
        losses.append(value)

    for x, y in LOADER:
        {{anew}}{STEP}
        log({{added}})
    return losses


net = nn.Linear(4, 2)
train(net, torch.optim.Adam(net.parameters()))
"""
STEPS = """
{of_module}


def step(net, optimizer, x, y):
    {of_step}

    def log(value):
        losses.append(value)

    for seed in range(2):
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    log(loss)


net = nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:
    step(net, optimizer, x, y)
"""
BUFFER = f"""
class Buffer:
    def __init__(self):
        self.values = []

    def write(self, value):
        self.values.append(value)
        {{flushes}}

    def flush(self):
        print(self.values)
        self.values = []


net, buffer = nn.Linear(4, 2), Buffer()
optimizer = torch.optim.Adam(net.parameters())
for x, y in LOADER:{STEP}
        buffer.write(loss)
"""
LIVE, COPY = "net.state_dict()", "copy.deepcopy(net.state_dict())"
BY_NAME = "print(sum((new[name] - old[name]).abs().sum() for name in new))"
TWINS: dict[str, Twin] = {
    "a state that is subtracted from a later one": (
        "aliased-best-weights",
        COMPARED,
        {"taken": COPY, "compares": "print(subtract(new, old))"},
        {"taken": LIVE, "compares": "print(subtract(new, old))"},
    ),
    "a state that is subtracted from parameters": (
        "aliased-best-weights",
        COMPARED,
        {"taken": COPY, "compares": "print([(weight.data - old[name]).norm() for name, weight in net.named_parameters()])"},
        {"taken": LIVE, "compares": "print([(weight.data - old[name]).norm() for name, weight in net.named_parameters()])"},
    ),
    "a state that is subtracted from the entries of a later one": (
        "aliased-best-weights",
        COMPARED,
        {"taken": COPY, "compares": "print([each - old[name] for name, each in new.items()])"},
        {"taken": LIVE, "compares": "print([each - old[name] for name, each in new.items()])"},
    ),
    "a state that the epoch before has left": (
        "aliased-best-weights",
        COMPARES,
        {"taken": LIVE, "compares": "movement.update(net)", "kept": COPY},
        {"taken": LIVE, "compares": "movement.update(net)", "kept": LIVE},
    ),
    "another network's state that the epoch before has left": (
        "aliased-best-weights",
        COMPARES,
        {"taken": LIVE, "compares": "movement.update(net)", "kept": "other.state_dict()"},
        {"taken": LIVE, "compares": "movement.update(net)", "kept": LIVE},
    ),
    "the state of another network": (
        "aliased-best-weights",
        COMPARED,
        {"taken": "other.state_dict()", "compares": BY_NAME},
        {"taken": LIVE, "compares": BY_NAME},
    ),
    "two entries of one state": (
        "aliased-best-weights",
        COMPARED,
        {"taken": LIVE, "compares": "print(old['0.bias'][:2] - old['1.bias'], old['0.weight'] - old['0.bias'])"},
        {"taken": LIVE, "compares": "print(new['0.bias'] - old['0.bias'])"},
    ),
    "an average that is moved towards the weights": (
        "aliased-best-weights",
        COMPARED,
        {"taken": LIVE, "compares": "for name in old:\n        old[name] = old[name] - 0.1 * (old[name] - new[name])"},
        {"taken": LIVE, "compares": "for name in old:\n        new[name] = new[name] - 0.1 * (old[name] - new[name])"},
    ),
    "a state whose tensors are others": (
        "aliased-best-weights",
        COMPARED.replace("    new =", "    {fills}\n    new ="),
        {"taken": LIVE, "fills": "old.update({name: each.clone() for name, each in old.items()})", "compares": BY_NAME},
        {"taken": LIVE, "fills": "pass", "compares": BY_NAME},
    ),
    "networks of a list": (
        "aliased-best-weights",
        f"""
args = argparse.ArgumentParser().parse_args()
nets, one = [], nn.Linear(4, 2)
for seed in range(args.seeds):
    nets.append(nn.Linear(4, 2))
old = {{first}}.state_dict()
for net in {{trained}}:
    optimizer = torch.optim.Adam(net.parameters())
    for x, y in LOADER:{STEP}
new = {{last}}.state_dict()
print([new[name] - old[name] for name in new])
""",
        {"first": "nets[0]", "trained": "nets", "last": "nets[1]"},
        {"first": "one", "trained": "[one]", "last": "one"},
    ),
    "outputs that are put together": gathered(
        "outs = torch.cat((outs, out.detach()))", "outs = torch.cat((outs, out))", begins="outs = torch.empty(0, 2)"
    ),
    "outputs that are put together, from none on": gathered(
        "outs = out if outs is None else torch.cat((outs, out))[-100:]",
        "outs = out if outs is None else torch.cat((outs, out))",
        begins="outs = None",
    ),
    "outputs of which the first begins": gathered(FIRST.format("out.detach()"), FIRST.format("out"), ends="print(outs.mean())"),
    "outputs that begin anew": gathered(
        FIRST.format("out").replace("i == 0", "i % 10 == 0"), FIRST.format("out"), ends="print(outs.mean())"
    ),
    "outputs that begin anew where they are many": gathered(
        FIRST.format("out").replace("i == 0", "len(outs) > 100"),
        FIRST.format("out").replace("i == 0", "len(outs) == 0"),
        begins="outs = []",
        ends="print(outs.mean())",
    ),
    "outputs that begin where there are none": gathered(
        FIRST.format("out.detach()").replace("i == 0", "not outs"),
        FIRST.format("out").replace("i == 0", "not outs"),
        begins="outs = None",
        ends="print(outs)",
    ),
    "outputs that are put together until they are read": gathered(
        "outs = torch.cat((outs, out)); outs = outs[-100:]", "outs = torch.cat((outs, out))", begins="outs = torch.empty(0, 2)"
    ),
    "losses that are put together": gathered(
        "losses = torch.cat([losses, loss.detach().view(1)])",
        "losses = torch.cat([losses, loss.view(1)])",
        begins="losses = torch.empty(0)",
    ),
    "outputs that are put together to be learned from": gathered(
        "outs = torch.cat((outs, net(x)))",
        "outs = torch.cat((outs, out))",
        begins="outs = torch.empty(0, 2)",
        ends="print(outs.mean())",
    ),
    "a list of rows": gathered("outs.extend(out.tolist())", "outs.extend(out)", begins="outs = []"),
    "a list in the order of time": gathered("losses.insert(0, loss.item())", "losses.insert(0, loss)", begins="losses = []"),
    "a list that is made longer": gathered("losses = losses + [loss.item()]", "losses = losses + [loss]", begins="losses = []"),
    "a mean that moves": gathered(
        "mean = (mean * i + loss.item()) / (i + 1)", "mean = (mean * i + loss) / (i + 1)", begins="mean = 0"
    ),
    "a dictionary of sums": gathered(
        "float(value)",
        "value",
        before="sums = {{}}",
        gathers="for name, value in dict(loss=loss).items(): sums[name] = sums.get(name, 0) + {gathers}",
    ),
    "a list that is there when it is asked for": gathered(
        "stats.setdefault('loss', []).append(loss.item())", "stats.setdefault('loss', []).append(loss)", before="stats = {{}}"
    ),
    "what another method finds": gathered(
        "stats.find('loss', []).append(loss)", "stats.setdefault('loss', []).append(loss)", before="stats = {{}}"
    ),
    "a queue": gathered(
        "losses.append(loss)", "every.append(loss)", before="losses, every = collections.deque(maxlen=20), collections.deque()"
    ),
    "a list that is popped": gathered("losses.append(loss); losses.pop(0)", "losses.append(loss)", begins="losses = []"),
    "a list that is deleted": gathered("losses.append(loss); del losses[0]", "losses.append(loss)", begins="losses = []"),
    "a list that is cleared": gathered("losses.append(loss); losses.clear()", "losses.append(loss)", begins="losses = []"),
    "a list that is cut": gathered("losses.append(loss); losses = losses[-20:]", "losses.append(loss)", begins="losses = []"),
    "a list under a key that is popped": gathered(
        "stats['loss'].append(loss); stats['loss'].pop(0)", "stats['loss'].append(loss)", before="stats = {{'loss': []}}"
    ),
    "a list that a method cuts": (
        "graph-retained-in-metric",
        WINDOW,
        {"cuts": "self.values = self.values[-20:]"},
        {"cuts": "print(self.values[-20:])"},
    ),
    "a list of a dataclass": gathered("record.values.append(loss.item())", "record.values.append(loss)", before=RECORD),
    "a field of a dataclass that a function makes": gathered(
        "record.others.append(loss)", "record.values.append(loss)", before=RECORD
    ),
    "objects that hold losses": gathered("rows.append(Row(loss.item(), i))", "rows.append(Row(loss, i))", before=RECORD),
    "objects of one pass": gathered(
        "rows = [Row(loss, i)]; rows.append(Row(loss, i))", "rows.append(Row(loss, i))", before=RECORD
    ),
    "rows with outputs": gathered("rows.append((out.detach(), y))", "rows.append((out, y))", begins="rows = []"),
    "losses under the names of passes": gathered(
        "kept[f'{epoch}/{i % 2}'] = loss", "kept[f'{epoch}/{i}'] = loss", begins="kept = {{}}"
    ),
    "what an operator of a class adds": gathered("mean += loss.item()", "mean += loss", before=MEAN),
    "a list of the module": gathered("log(loss.item())", "log(loss)", before=LOG),
    "a list of the module that is emptied elsewhere": (
        "graph-retained-in-metric",
        EMPTIED,
        {"empties": "history.clear()"},
        {"empties": "print(len(history))"},
    ),
    "a list of the module that a function binds anew": (
        "graph-retained-in-metric",
        EMPTIED,
        {"empties": "global history; history = []"},
        {"empties": "print(len(history))"},
    ),
    "a list of the function around": (
        "graph-retained-in-metric",
        NESTED,
        {"anew": "losses = []", "added": "loss"},
        {"anew": "pass", "added": "loss"},
    ),
    "a list of one step": (
        "graph-retained-in-metric",
        STEPS,
        {"of_step": "losses = []", "of_module": "pass"},
        {"of_step": "pass", "of_module": "losses = []"},
    ),
    "a list that another method empties": ("graph-retained-in-metric", BUFFER, {"flushes": "self.flush()"}, {"flushes": "pass"}),
    "a list that the loop has a method empty": (
        "graph-retained-in-metric",
        BUFFER.replace("self.values = []\n\n\nnet", "self.values.clear()\n\n\nnet") + "        {also}\n",
        {"flushes": "pass", "also": "buffer.flush()"},
        {"flushes": "pass", "also": "pass"},
    ),
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
