"""Methods that are named to be called by others: kept in a variable, put in a table, given to a helper."""

import torch
from torch import nn


def every(count, hooks):
    for step in range(count):
        for hook in hooks:
            hook(step)


torch.manual_seed(0)
x, y = torch.randn(32, 4), torch.randn(32, 1)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
clear = optimizer.zero_grad
modes = {"train": model.train, "eval": model.eval}


def learn(step):
    clear()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print(f"step {step}: loss {loss.item():.3f}")


modes["train"]()
every(4, [learn, lambda step: scheduler.step()])
