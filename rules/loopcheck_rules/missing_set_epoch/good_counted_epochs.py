"""So many steps of an iterator that is begun anew where it ends: the sampler is told at each step that is the last of an epoch."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train(model, loader, optimizer, epochs):
    steps = len(loader)
    epoch, batches = 1, iter(loader)
    for step in range(1, epochs * steps + 1):
        try:
            x, y = next(batches)
        except StopIteration:
            batches = iter(loader)
            x, y = next(batches)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        if step % steps == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
            loader.sampler.set_epoch(epoch)
            epoch += 1


def main():
    torch.manual_seed(0)
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    rank, ranks = (dist.get_rank(), dist.get_world_size()) if distributed else (0, 2)
    dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    loader = DataLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset, ranks, rank, shuffle=True))
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, optimizer, 3)
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
