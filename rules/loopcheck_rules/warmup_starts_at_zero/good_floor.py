"""Warm-ups that begin above 0: by a floor, by one step more, by no warm-up at all, or by a class of torch's."""

import math
import os

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, LinearLR

warmup, total = 5, 12
no_warmup = int(os.cpu_count() * 0)


def noam(step):
    step = max(step, 1)
    return 4 * min(step**-0.5, step * warmup**-1.5)


def after_warmup(step):
    if step < no_warmup:
        return step / no_warmup
    return 0.5 * (1 + math.cos(math.pi * step / total))


torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
for make in (
    lambda optimizer: LambdaLR(optimizer, lambda step: max(0.01, step / warmup)),
    lambda optimizer: LambdaLR(optimizer, lambda step: min((step + 1) / warmup, 1.0)),
    lambda optimizer: LambdaLR(optimizer, lambda step: 1 - step / total),
    lambda optimizer: LambdaLR(optimizer, noam),
    lambda optimizer: LambdaLR(optimizer, after_warmup),
    lambda optimizer: LinearLR(optimizer, start_factor=0.1, total_iters=warmup),
):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scheduler = make(optimizer)
    for _ in range(total):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(f"loss {loss.item():.3f}")
