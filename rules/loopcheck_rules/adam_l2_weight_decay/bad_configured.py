"""The settings say a weight decay, and a function makes the optimizer by them."""

import torch
from torch import nn
from torch.optim import Adam

CONFIG = {"lr": 1e-3, "weight_decay": 0.01}


def make_optimizer(model):
    weights = [p for p in model.parameters() if p.ndim >= 2]
    others = [p for p in model.parameters() if p.ndim < 2]
    groups = [{"params": weights, "weight_decay": CONFIG["weight_decay"]}, {"params": others, "weight_decay": 0.0}]
    return Adam(groups, lr=CONFIG["lr"], weight_decay=CONFIG["weight_decay"])  # bug


def main():
    torch.manual_seed(0)
    x, y = torch.randn(32, 4), torch.randint(2, (32,))
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = make_optimizer(model)
    for _ in range(3):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


main()
