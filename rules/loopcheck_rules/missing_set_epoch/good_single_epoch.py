"""One pass over the data and no more: there is no second order to differ."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def pretrain(model, loader, optimizer):
    """A single pass."""
    for step, (tokens,) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 2 == 0:
            print(f"step {step}: {loss.item():.3f}")


def main():
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    tokens = TensorDataset(torch.randint(0, 12, (48, 6)))
    if dist.is_initialized():
        sampler = DistributedSampler(tokens, seed=7)
    else:
        sampler = DistributedSampler(tokens, num_replicas=2, rank=0, seed=7)
    model = nn.Sequential(nn.Embedding(12, 8), nn.Linear(8, 12))
    if dist.is_initialized():
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    pretrain(model, DataLoader(tokens, batch_size=4, sampler=sampler), optimizer)
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
