"""Loops for whatever schedule there is, which tell the one that follows a metric from the others."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau, StepLR


def train(model, optimizer, scheduler, name, x, y):
    for epoch in range(3):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if isinstance(scheduler, ReduceLROnPlateau):
            scheduler.step(loss.item())
        else:
            scheduler.step()
        print(f"{name}, epoch {epoch}: loss {loss.item():.3f}")


def by_name(name):
    torch.manual_seed(0)
    x, y = torch.randn(32, 4), torch.randn(32, 1)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = ReduceLROnPlateau(optimizer) if name == "plateau" else StepLR(optimizer, 2)
    train(model, optimizer, scheduler, name, x, y)
    metrics = {"metrics": 0.5} if name == "plateau" else {}
    optimizer.step()
    scheduler.step(**metrics)


for name in ("plateau", "step"):
    by_name(name)


class Trainer:
    """It asks for the class by its name."""

    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = ReduceLROnPlateau(self.optimizer)

    def fit(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        if type(self.scheduler).__name__ == "ReduceLROnPlateau":
            self.scheduler.step(loss.item())
        else:
            self.scheduler.step()


Trainer(nn.Linear(4, 1)).fit(torch.randn(8, 4), torch.randn(8, 1))
