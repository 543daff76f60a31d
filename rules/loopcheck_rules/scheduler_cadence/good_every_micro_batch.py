"""Steps times the micro-batches of a window are batches, and with each of them this schedule is stepped."""

import argparse
import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--max_steps", type=int, default=12)
parser.add_argument("--accumulation_steps", type=int, default=4)
args = parser.parse_args()

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=4, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=args.max_steps * args.accumulation_steps)

batches = itertools.cycle(loader)
for _ in range(args.max_steps):
    for micro in range(args.accumulation_steps):
        x, y = next(batches)
        loss = nn.functional.mse_loss(model(x), y)
        (loss / args.accumulation_steps).backward()
        if micro == args.accumulation_steps - 1:
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()
print(f"loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.4f}")
