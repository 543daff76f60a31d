"""Scaled and unscaled under the same flag, tested three times."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--fp32", action="store_true")
parser.add_argument("--clip", type=float, default=1.0)
args = parser.parse_args()

use_amp = not args.fp32
torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
if use_amp:
    scaler = torch.amp.GradScaler(device)

data = TensorDataset(torch.randn(64, 14), torch.randint(0, 6, (64,)))
train_loader = DataLoader(data, batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(14, 28), nn.ReLU(), nn.Linear(28, 6)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for x, y in train_loader:
        x, y = x.to(device), y.to(device)
        with torch.autocast(device, dtype=torch.float16, enabled=use_amp):
            loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        if use_amp:
            scaler.scale(loss).backward()
        else:
            loss.backward()
        if args.clip:
            if use_amp:
                scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), args.clip)
        if use_amp:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()
    print(epoch, loss.item())
