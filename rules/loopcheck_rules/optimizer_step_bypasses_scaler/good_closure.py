"""Fit a curve with Adam under mixed precision, or with L-BFGS, which takes a closure and goes without."""

import sys

import torch
from torch import nn


def make_optimizer(model, name):
    if name == "lbfgs":
        return torch.optim.LBFGS(model.parameters(), lr=1e-2)
    return torch.optim.Adam(model.parameters(), lr=1e-2)


class Fit:
    def __init__(self, model, solver, mixed=True):
        self.model = model
        self.optimizer = make_optimizer(model, solver)
        self.set_precision(mixed)

    def set_precision(self, mixed):
        is_adam = isinstance(self.optimizer, torch.optim.Adam)
        if mixed and is_adam:
            self.scaler = torch.amp.GradScaler("cpu")
        else:
            self.scaler = torch.amp.GradScaler("cpu", enabled=False)

    def update(self, x, y):
        def closure():
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            self.scaler.scale(loss).backward()
            return loss

        if isinstance(self.optimizer, torch.optim.LBFGS):
            return self.optimizer.step(closure).item()
        loss = closure()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


def main(steps=20):
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 64)[:, None]
    for solver in sys.argv[1:] or ["adam", "lbfgs"]:
        model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        fit = Fit(model, solver)
        losses = [fit.update(x, x.square()) for _ in range(steps)]
        print(f"{solver}: {losses[0]:.3f} -> {losses[-1]:.3f}")


if __name__ == "__main__":
    main()
