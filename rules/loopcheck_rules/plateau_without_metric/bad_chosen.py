"""One loop for whatever schedule is asked for."""

import argparse

import torch
from torch import nn
from torch.optim import lr_scheduler


def get_scheduler(optimizer, policy):
    if policy == "step":
        return lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
    if policy == "plateau":
        return lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.2)
    return lr_scheduler.CosineAnnealingLR(optimizer, T_max=4, eta_min=0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--policy", default="plateau")
    args = parser.parse_args()
    torch.manual_seed(0)
    x, y = torch.randn(32, 4), torch.randn(32, 1)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = get_scheduler(optimizer, args.policy)
    for epoch in range(4):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()  # bug
        print(f"epoch {epoch}: loss {loss.item():.3f}")


main()
