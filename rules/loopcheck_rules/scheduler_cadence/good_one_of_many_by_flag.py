"""Of many schedules one counts batches, and a flag that is set beside it says so: each is stepped in the unit of its length."""

import argparse

import torch
from torch import nn
from torch.optim.lr_scheduler import ConstantLR, CosineAnnealingLR, ExponentialLR, LinearLR, OneCycleLR, PolynomialLR, StepLR
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--schedule", default="one_cycle")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=4, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
if args.schedule == "constant":
    scheduler = ConstantLR(optimizer, 1.0)
    per_batch = False
elif args.schedule == "exponential":
    scheduler = ExponentialLR(optimizer, 0.99)
    per_batch = False
elif args.schedule == "linear":
    scheduler = LinearLR(optimizer, 1.0, 0.0, total_iters=args.epochs)
    per_batch = False
elif args.schedule == "step":
    scheduler = StepLR(optimizer, 3)
    per_batch = False
elif args.schedule == "cosine":
    scheduler = CosineAnnealingLR(optimizer, args.epochs)
    per_batch = False
elif args.schedule == "one_cycle":
    scheduler = OneCycleLR(optimizer, 0.1, total_steps=args.epochs * len(loader))
    per_batch = True
elif args.schedule == "poly":
    scheduler = PolynomialLR(optimizer, total_iters=args.epochs)
    per_batch = False
else:
    raise ValueError(args.schedule)
for epoch in range(args.epochs):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if per_batch:
            scheduler.step()
    if not per_batch:
        scheduler.step()
print(loss.item())
