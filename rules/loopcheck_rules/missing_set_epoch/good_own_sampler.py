"""An endless sampler that shuffles anew by itself; training counts iterations, not epochs."""

import itertools
import os

import torch
from torch import nn
from torch.utils.data import DataLoader, Sampler, TensorDataset


class InfiniteSampler(Sampler):
    """Every rank walks through the same endless stream of permutations and takes its share."""

    def __init__(self, size, rank, ranks, seed=0):
        self.size, self.rank, self.ranks, self.seed = size, rank, ranks, seed

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed)
        stream = itertools.chain.from_iterable(torch.randperm(self.size, generator=generator).tolist() for _ in itertools.count())
        yield from itertools.islice(stream, self.rank, None, self.ranks)


def main(iterations=10):
    torch.manual_seed(0)
    rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 2))
    x = torch.randn(30, 4)
    dataset = TensorDataset(x, x.mean(1, keepdim=True))
    loader = DataLoader(dataset, batch_size=5, sampler=InfiniteSampler(len(dataset), rank, ranks))
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for iteration, (a, b) in zip(range(iterations), loader):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        optimizer.step()
        if iteration % 5 == 0:
            print(f"iteration {iteration}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
