"""A script without functions: the schedule is as long as there are updates, and moves on with every batch."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--num_epochs", type=int, default=2)
parser.add_argument("--grad_accum", type=int, default=2)
options = parser.parse_args()

torch.manual_seed(0)
train_loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randn(32, 1)), batch_size=4, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
max_steps = options.num_epochs * (len(train_loader) // options.grad_accum)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=max_steps)

for epoch in range(options.num_epochs):
    for index, (x, y) in enumerate(train_loader):
        loss = nn.functional.mse_loss(model(x), y)
        (loss / options.grad_accum).backward()
        if (index + 1) % options.grad_accum == 0 or index + 1 == len(train_loader):
            optimizer.step()
            optimizer.zero_grad()
        scheduler.step()  # bug
    print(f"epoch {epoch}: {loss.item():.4f} at {scheduler.get_last_lr()[0]:.5f}")
