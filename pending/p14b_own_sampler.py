"""A sampler class of the project that derives from the distributed one: it has to be told the epoch, too."""

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class ShardSampler(DistributedSampler):
    def __init__(self, dataset, shard):
        super().__init__(dataset, num_replicas=4, rank=shard, shuffle=True)


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 3)
    samples = TensorDataset(x, x.sum(1, keepdim=True))
    told, untold = ShardSampler(samples, 0), ShardSampler(samples, 1)
    first = DataLoader(samples, batch_size=4, sampler=told)
    second = DataLoader(samples, batch_size=4, sampler=untold)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        told.set_epoch(epoch)
        for a, b in first:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()
        for a, b in second:  # bug: missing-set-epoch
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
