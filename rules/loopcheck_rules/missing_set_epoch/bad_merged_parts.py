"""A trainer fills in its defaults with the parts that it is given; one of these has the loader."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def merged(defaults, given):
    defaults = copy.deepcopy(defaults)
    for name, value in defaults.items():
        if name in given:
            if isinstance(value, type(given[name])):
                if isinstance(value, dict):
                    defaults[name] = merged(value, given[name])
                else:
                    defaults[name] = given[name]
            elif isinstance(value, float) and isinstance(given[name], int):
                defaults[name] = given[name] * 1.0
            elif value is None:
                defaults[name] = given[name]
            else:
                raise TypeError(f"{name} is no {type(value).__name__}")
    return defaults


class Data:
    def __init__(self, samples):
        sampler = DistributedSampler(samples, num_replicas=2, rank=0)
        self.loader = DataLoader(samples, batch_size=8, sampler=sampler)


class Trainer:
    def __init__(self, parts, settings):
        self.parts = merged({"data": None, "model": None, "optimizer": None}, parts)
        self.settings = merged({"epochs": 10, "clip": 1.0}, settings)

    def train_on(self, x, y):
        model, optimizer = self.parts["model"], self.parts["optimizer"]
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        nn.utils.clip_grad_norm_(model.parameters(), self.settings["clip"])
        optimizer.step()

    def run(self):
        data = self.parts["data"]
        for epoch in range(self.settings["epochs"]):
            for x, y in data.loader:  # bug
                self.train_on(x, y)
            print(f"epoch {epoch} is over")


torch.manual_seed(0)
x = torch.randn(64, 6)
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
parts = {"data": Data(TensorDataset(x, x.sum(dim=1, keepdim=True))), "model": model, "optimizer": optimizer}
Trainer(parts, {"epochs": 2, "clip": 5}).run()
