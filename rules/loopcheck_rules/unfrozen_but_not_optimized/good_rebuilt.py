"""The second stage has an optimizer of its own, made of all that is to be trained then."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.Tanh())
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(self.body(x))


def epoch(model, optimizer, x):
    for inputs in x.split(16):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), inputs.mean(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
    return loss.item()


torch.manual_seed(0)
x = torch.randn(64, 8)
model = Net()
model.body.requires_grad_(False)
optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)
print(f"head: loss {epoch(model, optimizer, x):.4f}")
model.body.requires_grad_(True)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
print(f"all: loss {epoch(model, optimizer, x):.4f}")
