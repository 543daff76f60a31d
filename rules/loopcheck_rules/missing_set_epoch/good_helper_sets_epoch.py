"""A helper looks for the sampler, wherever it hides, and is called inside train()."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def set_loader_epoch(loader, epoch):
    for sampler in (loader.sampler, loader.batch_sampler):
        if hasattr(sampler, "set_epoch"):
            sampler.set_epoch(epoch)


def train(model, loader, optimizer, epoch):
    set_loader_epoch(loader, epoch)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    where = {} if dist.is_initialized() else {"num_replicas": 2, "rank": 0}
    data = TensorDataset(torch.randn(40, 3), torch.randn(40, 1))
    loader = DataLoader(data, batch_size=5, sampler=DistributedSampler(data, **where))
    model = nn.Linear(3, 1)
    if dist.is_initialized():
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        print(f"epoch {epoch}: {train(model, loader, optimizer, epoch):.4f}")
    if dist.is_initialized():
        dist.destroy_process_group()
