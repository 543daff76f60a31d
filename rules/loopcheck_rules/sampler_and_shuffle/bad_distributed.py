"""A distributed sampler was added to a loader that shuffled already."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def get_loader(dataset, batch_size, workers=0):
    if dist.is_initialized():
        sampler = DistributedSampler(dataset)
    else:
        sampler = DistributedSampler(dataset, num_replicas=2, rank=0)
    loader = DataLoader(  # bug
        dataset,
        batch_size=batch_size,
        shuffle=True,
        num_workers=workers,
        sampler=sampler,
    )
    return loader, sampler


def main():
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    loader, sampler = get_loader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=4)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
