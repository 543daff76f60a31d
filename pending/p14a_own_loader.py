"""A loader class of the project: what its `__init__` hands to DataLoader makes the loader."""

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Batches(DataLoader):
    """Batches of one rank's share."""

    def __init__(self, dataset, batch_size, rank=0, world=2):
        super().__init__(dataset, batch_size=batch_size, sampler=DistributedSampler(dataset, num_replicas=world, rank=rank))


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 3)
    samples = TensorDataset(x, x.sum(1, keepdim=True))
    batches = Batches(samples, 8)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        for a, b in batches:  # bug: missing-set-epoch
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
