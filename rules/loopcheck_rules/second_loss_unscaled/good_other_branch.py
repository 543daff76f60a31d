"""Scaled or not, by one setting for all losses."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

for x, y in loader:
    optimizer.zero_grad()
    loss, penalty = nn.functional.mse_loss(model(x), y), model(x).square().mean()
    if args.amp:
        scaler.scale(loss).backward()
        scaler.scale(penalty).backward()
        scaler.step(optimizer)
        scaler.update()
    else:
        loss.backward()
        penalty.backward()
        optimizer.step()
print(f"{loss.item():.4f}")
