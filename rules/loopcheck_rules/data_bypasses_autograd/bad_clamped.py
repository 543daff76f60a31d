"""Weights are kept within bounds between the forward and its backward."""

import torch
from torch import nn


def clamp(model, bound):
    for p in model.parameters():
        p.data.clamp_(-bound, bound)  # bug


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in torch.randn(64, 4).split(16):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
        clamp(model, 0.2)
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")


main()
