"""Each batch's gradients are taken as numbers before the next one clears them; what is stepped with is their sum."""

import torch
from torch import nn
from torch.nn import functional as F


def gradients_of(model, batches):
    for x, y in batches:
        model.zero_grad()
        F.cross_entropy(model(x), y).backward()
        grads = [p.grad.data.cpu().numpy() if p.grad is not None else None for p in model.parameters()]
        yield grads


def train(model, optimizer, batches, every):
    total = None
    for number, grads in enumerate(gradients_of(model, batches), start=1):
        if total is None:
            total = [grad.copy() for grad in grads]
        else:
            for mine, grad in zip(total, grads):
                mine += grad
        if number % every == 0:
            for p, grad in zip(model.parameters(), total):
                p.grad = torch.from_numpy(grad / every)
            optimizer.step()
            total = None


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
x = torch.randn(64, 4)
y = (x.sum(dim=1) > 0).long()
train(model, optimizer, list(zip(x.split(8), y.split(8))), every=4)
print(f"{F.cross_entropy(model(x), y).item():.4f}")
