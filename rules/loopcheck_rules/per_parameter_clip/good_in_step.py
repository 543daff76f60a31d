"""Optimizers that limit in their step what may be limited there: a group as a whole, and each weight by its own size."""

import torch
from torch import nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader, TensorDataset


class ByGroup(Optimizer):
    def __init__(self, params, lr, max_grad_norm=1.0):
        super().__init__(params, {"lr": lr, "max_grad_norm": max_grad_norm})

    def step(self, closure=None):
        for group in self.param_groups:
            nn.utils.clip_grad_norm_(group["params"], group["max_grad_norm"])
            for p in group["params"]:
                if p.grad is not None:
                    p.data.add_(p.grad, alpha=-group["lr"])


class Adaptive(Optimizer):
    def __init__(self, params, lr, ratio=0.01):
        super().__init__(params, {"lr": lr, "ratio": ratio})

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                size = p.detach().norm().clamp(min=1e-3).item()
                nn.utils.clip_grad_norm_(p, group["ratio"] * size)
                nn.utils.clip_grad_value_(p, 0.5)
                p.data.add_(p.grad, alpha=-group["lr"])


torch.manual_seed(0)
data = torch.randn(48, 5)
for kind in (ByGroup, Adaptive):
    model = nn.Linear(5, 2)
    optimizer = kind(model.parameters(), lr=0.1)
    for x, y in DataLoader(TensorDataset(data, data[:, :2]), batch_size=8, shuffle=True):
        optimizer.zero_grad()
        (model(x) - y).square().mean().backward()
        optimizer.step()
