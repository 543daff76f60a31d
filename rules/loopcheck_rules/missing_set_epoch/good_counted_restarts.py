"""So many steps, whatever the loader holds: where it comes to its end, the sampler is told before it begins anew."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, TensorDataset


def train(model, loader, optimizer, sampler, epochs, steps):
    restarts = 0
    batches = iter(loader)
    for epoch in range(epochs):
        for step in range(steps):
            try:
                x, y = batches.__next__()
            except StopIteration:
                restarts += 1
                if isinstance(sampler, DistributedSampler):
                    sampler.set_epoch(restarts)
                batches = iter(loader)
                x, y = batches.__next__()
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


def main():
    torch.manual_seed(0)
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    rank, ranks = (dist.get_rank(), dist.get_world_size()) if distributed else (0, 2)
    dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    sampler = DistributedSampler(dataset, ranks, rank) if ranks > 1 else RandomSampler(dataset)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, optimizer, sampler, 3, 5)
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
