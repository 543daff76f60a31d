"""A head for the new task is put on by a function, once the model and its optimizer are there."""

import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1000)

    def forward(self, x):
        return self.head(torch.relu(self.body(x)))


def adapt(net, classes):
    net.head = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, classes))  # bug


def main():
    torch.manual_seed(0)
    x, y = torch.randn(32, 4), torch.randint(3, (32,))
    model = Backbone()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    adapt(model, classes=3)
    for step in range(4):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        print(f"step {step}: loss {loss.item():.3f}")


main()
