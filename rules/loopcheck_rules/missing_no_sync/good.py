"""Two processes accumulate four micro-batches each, and count how often their gradients are averaged."""

import os
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

ACCUMULATION_STEPS = 4
averaged = []


def counting(group, bucket):
    """What DistributedDataParallel does with a bucket of gradients, counted."""
    averaged.append(bucket.index())
    return allreduce_hook(group, bucket)


def main():
    torch.manual_seed(0)
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    rank, ranks = (dist.get_rank(), dist.get_world_size()) if distributed else (0, 2)
    dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, ranks, rank, shuffle=False))
    model = nn.Linear(10, 3)
    if distributed:
        model = DistributedDataParallel(model)
        model.register_comm_hook(None, counting)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    steps = 0
    for i, (x, y) in enumerate(loader):
        with nullcontext() if (i + 1) % ACCUMULATION_STEPS == 0 or not hasattr(model, "no_sync") else model.no_sync():
            loss = nn.functional.cross_entropy(model(x), y) / ACCUMULATION_STEPS
            loss.backward()
        if (i + 1) % ACCUMULATION_STEPS == 0:
            optimizer.step()
            optimizer.zero_grad()
            steps += 1
    print(f"loss {loss.item():.4f}, averaged {len(averaged)} times for {steps} steps")
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
