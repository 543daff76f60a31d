"""The rate is warmed up by hand for some epochs, and the schedule goes on from there."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--warm-up", type=int, default=2)
parser.add_argument("--epochs", type=int, default=6)
args = parser.parse_args()

torch.manual_seed(0)
loader = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(3)]
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs - args.warm_up - 1)

for epoch in range(args.epochs):
    if epoch > args.warm_up:
        scheduler.step()
    for x, y in loader:
        if epoch <= args.warm_up:
            for group in optimizer.param_groups:
                group["lr"] = 0.1 * (epoch + 1) / (args.warm_up + 1)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    print(epoch, optimizer.param_groups[0]["lr"])
