"""A trainer whose `step` is a number, and whose network has a property of the name of a method."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 1)

    @property
    def update(self):
        return self.linear.weight.detach()

    def forward(self, x):
        return self.linear(x)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = 0
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def run(self, x, y):
        for _ in range(4):
            self.step
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.model.update
            self.step += 1
        print(f"step {self.step}: loss {loss.item():.3f}")


torch.manual_seed(0)
Trainer(Net()).run(torch.randn(32, 4), torch.randn(32, 1))
