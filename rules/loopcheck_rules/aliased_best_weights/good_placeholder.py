"""What stands in for the best weights before there are any is no copy; those that are better are copied in its place."""

import copy

import torch
from torch import nn


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        return -nn.functional.mse_loss(model(x), y).item()


def fit(model, x, y, epochs=4):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best, best_state = float("-inf"), model.state_dict()
    for _ in range(epochs):
        model.train()
        for batch, target in zip(x.split(8), y.split(8), strict=True):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(batch), target).backward()
            optimizer.step()
        score = evaluate(model, x, y)
        if score > best:
            best, best_state = score, copy.deepcopy(model.state_dict())
    model.load_state_dict(best_state)
    return best


torch.manual_seed(0)
inputs = torch.randn(32, 3)
print(f"{fit(nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 3)), inputs, inputs.sin()):.4f}")
