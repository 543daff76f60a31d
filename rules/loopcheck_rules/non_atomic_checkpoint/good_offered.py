"""What a learner is told to write by the commands of others leaves what was written before whole: under a name that says how far
it has come, under one that they choose, beside another that does, or put in place of the last when it is."""

import os
import tempfile

import torch
from torch import nn


class Learner:
    def __init__(self, options):
        self.options = options
        self.updates = 0
        self.net = nn.Linear(options["width"], 1)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
        if os.path.isfile(options["state"]):
            self.load(options["state"])

    def states(self):
        return {"net": self.net.state_dict(), "optimizer": self.optimizer.state_dict(), "updates": self.updates}

    def load(self, path):
        states = torch.load(path)
        self.net.load_state_dict(states["net"])
        self.optimizer.load_state_dict(states["optimizer"])
        self.updates = states["updates"]

    def descend(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.optimizer.step()
        self.updates += 1


class Counting(Learner):
    def update(self, x):
        self.descend(x, x.sum(dim=1, keepdim=True))

    def keep(self, path=None):
        torch.save(self.states(), f"{path or self.options['state']}.{self.updates}")


class Told(Learner):
    def update(self, x):
        self.descend(x, x.mean(dim=1, keepdim=True))

    def keep(self, path):
        with open(path, "wb") as file:
            torch.save(self.states(), file)


class Beside(Learner):
    def update(self, x):
        self.descend(x, x[:, :1])

    def keep(self, path=None):
        torch.save(self.states(), self.options["state"] if path is None else path)

    def keep_apart(self, name):
        torch.save(self.states(), f"{self.options['state']}.{name}")


class Whole(Learner):
    def update(self, x):
        self.descend(x, x[:, -1:])

    def keep(self, path=None):
        path = self.options.get("state") if path is None else path
        with open(path + ".written", "wb") as file:
            torch.save(self.states(), file)
        os.replace(path + ".written", path)


KINDS = {"counting": Counting, "told": Told, "beside": Beside, "whole": Whole}


def main(kind):
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        learner = KINDS[kind]({"state": os.path.join(folder, "state.pt"), "width": 4})
        for turn in range(3):
            given = {"update": [torch.randn(8, 4)], "keep": [os.path.join(folder, f"{turn}.pt")] * (kind == "told"), "keep_apart": [turn]}
            for command in ["update", "keep"] + ["keep_apart"] * (kind == "beside"):
                getattr(learner, command)(*given[command])
        print(sorted(os.listdir(folder)))


if __name__ == "__main__":
    for kind in KINDS:
        main(kind)
