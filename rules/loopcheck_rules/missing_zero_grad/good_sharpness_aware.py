"""Sharpness-aware minimization: an optimizer of the project's own climbs, comes back and steps through another."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SharpnessAware(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kwargs):
        super().__init__(params, {"rho": rho, **kwargs})
        self.base = base(self.param_groups, **kwargs)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def climb(self, zero_grad=False):
        params = [p for group in self.param_groups for p in group["params"] if p.grad is not None]
        norm = torch.stack([p.grad.norm() for p in params]).norm() + 1e-12
        for p in params:
            self.state[p]["climbed"] = p.grad * (0.05 / norm)
            p.add_(self.state[p]["climbed"])
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def descend(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.sub_(self.state[p]["climbed"])
        self.base.step()
        if zero_grad:
            self.zero_grad()

    def step(self, closure):
        self.climb(zero_grad=True)
        with torch.enable_grad():
            loss = closure()
        self.descend()
        return loss


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
    optimizer = SharpnessAware(model.parameters(), torch.optim.SGD, lr=0.1)
    for epoch in range(2):
        for inputs, labels in loader:
            loss = F.cross_entropy(model(inputs), labels)
            loss.backward()
            optimizer.climb(zero_grad=True)
            F.cross_entropy(model(inputs), labels).backward()
            optimizer.descend(zero_grad=True)
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
