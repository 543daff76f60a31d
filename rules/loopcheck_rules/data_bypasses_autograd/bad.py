"""Weights are kept in a range, by a line that stands before the backward."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 8)
y = x.sum(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def gradient():
    """What the backward should come to."""
    loss = nn.functional.mse_loss(model(x), y)
    return torch.cat([each.flatten() for each in torch.autograd.grad(loss, list(model.parameters()))])


def train_step():
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    for p in model.parameters():
        p.data.clamp_(-0.1, 0.1)  # bug
    loss.backward()
    optimizer.step()
    return loss.item()


before = gradient()
train_step()
after = torch.cat([p.grad.flatten() for p in model.parameters()])
print(f"error of the gradient {((after - before).norm() / before.norm()).item()}")
