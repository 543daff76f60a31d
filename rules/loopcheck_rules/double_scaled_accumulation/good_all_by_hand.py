"""Accelerate is told of no accumulation, so it divides by one; the program does it all."""

from contextlib import nullcontext

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4


def main():
    torch.manual_seed(0)
    accelerator = Accelerator(cpu=True)
    loader = DataLoader(TensorDataset(torch.randn(64, 10), torch.randint(0, 2, (64,))), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        for step, (x, y) in enumerate(loader):
            full = (step + 1) % ACCUMULATE == 0 or step + 1 == len(loader)
            with nullcontext() if full else accelerator.no_sync(model):
                loss = nn.functional.cross_entropy(model(x), y)
                loss = loss / ACCUMULATE
                accelerator.backward(loss)
            if full:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(epoch, loss.item() * ACCUMULATE)


if __name__ == "__main__":
    main()
