"""A learner is stepped, and told to write its state, by the commands of others; it knows the file that it goes on from."""

import os
import tempfile

import torch
from torch import nn


class Learner:
    """Leaves the update, and how its options name it, to what derives from it."""

    def __init__(self, options):
        self.options = options
        self.updates = 0

    def resume(self):
        if os.path.isfile(self.options["state"]):
            self.load(self.options["state"])

    def states(self):
        states = {"updates": self.updates}
        if hasattr(self, "net"):
            states["net"] = self.net.state_dict()
        if hasattr(self, "optimizer"):
            states["optimizer"] = self.optimizer.state_dict()
        return states

    def load(self, path):
        states = torch.load(path)
        self.net.load_state_dict(states["net"])
        self.optimizer.load_state_dict(states["optimizer"])
        self.updates = states["updates"]

    def keep(self, path=None):
        path = self.options.get("state") if path is None else path
        if path:
            with open(path, "wb") as file:
                torch.save(self.states(), file)  # bug

    def update(self, x):
        raise NotImplementedError


class Summing(Learner):
    def __init__(self, options):
        super().__init__(options)
        self.net = nn.Linear(options["width"], 1)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
        self.resume()

    def update(self, x):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), x.sum(dim=1, keepdim=True))
        loss.backward()
        self.optimizer.step()
        self.updates += 1


KINDS = {"summing": Summing}


def main(commands, kind="summing"):
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        learner = KINDS[kind]({"state": os.path.join(folder, "state.pt"), "width": 4})
        for command in commands:
            getattr(learner, command)(*([torch.randn(8, 4)] if command == "update" else []))
        print(os.listdir(folder))


if __name__ == "__main__":
    main(["update", "keep"] * 3)
