"""Layers that are put in before the optimizer is made, that are given to it afterwards, that have nothing to learn, or that an
optimizer of their own trains."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.activation = nn.ReLU()
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.activation(self.body(x)))


def train(model, optimizers, x, y):
    for _ in range(3):
        loss = nn.functional.cross_entropy(model(x), y)
        model.zero_grad()
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
    print(f"loss {loss.item():.3f}")


def in_time(x, y):
    model = Net()
    model.head = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.activation = nn.Tanh()
    train(model, [optimizer], x, y)


def given_afterwards(x, y):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.head = nn.Linear(8, 2)
    optimizer.add_param_group({"params": model.head.parameters()})
    train(model, [optimizer], x, y)


def of_its_own(x, y):
    model = Net()
    optimizer = torch.optim.SGD(model.body.parameters(), lr=0.1)
    model.head = nn.Linear(8, 2)
    train(model, [optimizer, torch.optim.SGD(model.head.parameters(), lr=0.5)], x, y)


def anew(x, y):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, [optimizer], x, y)
    model.head = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, [optimizer], x, y)


torch.manual_seed(0)
inputs, labels = torch.randn(32, 4), torch.randint(2, (32,))
for way in (in_time, given_afterwards, of_its_own, anew):
    way(inputs, labels)
