"""Accumulation with a flush after the epoch: after a full last window the flush finds nothing to clip, and hurts nothing."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM = 4
CLIP = 1.0


def flush(model, optimizer):
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=CLIP)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def run_epoch(model, optimizer, loader, device):
    model.train()
    pending = 0
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        (loss / ACCUM).backward()
        pending += 1
        if pending == ACCUM:
            flush(model, optimizer)
            pending = 0
    flush(model, optimizer)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = TensorDataset(torch.randn(96, 10), torch.randint(0, 3, (96,)))
    loader = DataLoader(data, batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 32), nn.GELU(), nn.Linear(32, 3)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for _ in range(2):
        run_epoch(model, optimizer, loader, device)


if __name__ == "__main__":
    main()
