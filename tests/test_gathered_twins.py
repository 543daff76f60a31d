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
}


@pytest.mark.parametrize("twin", TWINS.values(), ids=TWINS.keys())
def test_of_these_twins_the_wrong_one_is_told(twin: Twin) -> None:
    assert told(twin) == (False, True)
