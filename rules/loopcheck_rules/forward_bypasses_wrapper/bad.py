"""Two processes train a network on their shares of the data."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    torch.manual_seed(0)
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    rank, ranks = (dist.get_rank(), dist.get_world_size()) if distributed else (0, 2)
    dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset, ranks, rank, shuffle=False))
    network = nn.Linear(10, 3)
    if not distributed:
        return print("this wants several processes")
    model = DistributedDataParallel(network)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model.module(x), y)  # bug
        loss.backward()
        optimizer.step()
    print(f"rank {rank}: loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
