"""Fit a curve with Adam under mixed precision, or with L-BFGS, which takes a closure and goes without."""

import torch
from torch import nn


class Fit:
    def __init__(self, model, solver):
        self.model = model
        self.optimizer = solver(model.parameters(), lr=1e-2)
        self.setup_precision()

    def setup_precision(self):
        mixed = not isinstance(self.optimizer, torch.optim.LBFGS)
        self.scaler = torch.amp.GradScaler("cpu", enabled=mixed)

    def update(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        if isinstance(self.optimizer, torch.optim.LBFGS):

            def closure():
                return loss

            self.optimizer.step(closure)
        else:
            self.scaler.step(self.optimizer)
            self.scaler.update()
        return loss.item()


def main(steps=20):
    torch.manual_seed(0)
    x = torch.linspace(-1, 1, 64)[:, None]
    for solver in (torch.optim.Adam, torch.optim.LBFGS):
        model = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        fit = Fit(model, solver)
        losses = [fit.update(x, x.square()) for _ in range(steps)]
        print(f"{solver.__name__}: {losses[0]:.3f} -> {losses[-1]:.3f}")


if __name__ == "__main__":
    main()
