"""The number of workers is an option, and the stream goes through a function and a base class of the program's."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=2)
parser.add_argument("--batch-size", type=int, default=8)


def windows(values, size):
    for start in range(0, len(values) - size, size):
        yield values[start : start + size], values[start + size]


class Readings(IterableDataset):
    def __init__(self, values):
        super().__init__()
        self.values = values

    def __iter__(self):
        return iter(self.values)


class Windows(Readings):
    def __init__(self, values, size):
        super().__init__(values)
        self.size = size

    def __iter__(self):
        yield from windows(self.values, self.size)


def main():
    args = parser.parse_args([])
    torch.manual_seed(0)
    readings = Windows(torch.sin(torch.arange(97) / 5.0), 6)
    loader = DataLoader(dataset=readings, batch_size=args.batch_size, num_workers=args.workers)  # bug
    model = nn.Linear(6, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
