"""The epoch reaches the sampler through the loader that owns it; validation keeps a fixed order."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def make_loader(dataset, train):
    ranks, rank = (None, None) if dist.is_initialized() else (2, 0)
    sampler = DistributedSampler(dataset, num_replicas=ranks, rank=rank, shuffle=train)
    return DataLoader(dataset, batch_size=6, sampler=sampler)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum((model(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.sampler)


def main():
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    x, y = torch.randn(72, 5), torch.randint(0, 3, (72,))
    train_loader = make_loader(TensorDataset(x[:48], y[:48]), train=True)
    val_loader = make_loader(TensorDataset(x[48:], y[48:]), train=False)
    model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Dropout(0.1), nn.Linear(10, 3))
    if dist.is_initialized():
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        train_loader.sampler.set_epoch(epoch)
        model.train()
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        print(f"epoch {epoch}: {evaluate(model, val_loader):.3f}")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
