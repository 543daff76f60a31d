"""Two optimizers are one to the trainer, which saves the states of both as a list; a scan of rates keeps what it puts back."""

import io

import torch
from torch import nn


class OptimizerGroup:
    def __init__(self, optimizers):
        self.optimizers = optimizers

    def __iter__(self):
        return iter(self.optimizers)

    def state_dict(self):
        return [optimizer.state_dict() for optimizer in self.optimizers]


class Trainer:
    def __init__(self, model):
        self.model = model
        body, head = model
        self.optimizers = OptimizerGroup(
            [torch.optim.SGD(body.parameters(), lr=0.01, momentum=0.9), torch.optim.SGD(head.parameters(), lr=0.1)]
        )

    def train(self, batches):
        for inputs, targets in batches:
            self.model.zero_grad()
            loss = nn.functional.mse_loss(self.model(inputs), targets)
            loss.backward()
            for opt in self.optimizers:
                opt.step()
        torch.save({"model": self.model.state_dict(), "optimizers": self.optimizers.state_dict()}, io.BytesIO())
        return loss.item()


def scan(model, batch):
    """The loss after one step at each of the rates, from the same start."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    rates = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=10)
    start = io.BytesIO()
    torch.save(optimizer.state_dict(), start)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch[0]), batch[1])
        loss.backward()
        optimizer.step()
        rates.step()
        print(f"rate {rates.get_last_lr()[0]:.3f}: {loss.item():.4f}")


torch.manual_seed(0)
x = torch.randn(32, 3)
data = list(zip(x.split(8), x.sum(dim=1, keepdim=True).split(8), strict=True))
scan(nn.Linear(3, 1), data[0])
print(f"{Trainer(nn.Sequential(nn.Linear(3, 8), nn.Linear(8, 1))).train(data):.4f}")
