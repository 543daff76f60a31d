"""The type is a setting, and the scaler is on where that asks for it."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--precision", choices=["float16", "bfloat16"], default="bfloat16")
args = parser.parse_args()

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
dtype = torch.float16 if args.precision == "float16" else torch.bfloat16
scaler = torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)

for x, y in loader:
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=dtype):
        loss = nn.functional.mse_loss(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
print(f"{loss.item():.4f}")
