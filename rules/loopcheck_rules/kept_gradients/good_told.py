"""None is what torch sets gradients to by default, what this program says, and what a setting says that is on."""

import torch
from torch import nn


def train(release):
    torch.manual_seed(0)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for x in torch.randn(32, 8).split(8):
        optimizer.zero_grad(set_to_none=release)
        loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
        model.zero_grad(set_to_none=True)
    return loss.item()


print(f"loss {train(release=True):.4f}")
