"""The project's loader tells its sampler by itself: every pass over it is the next epoch."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class EpochLoader:
    """A DataLoader that counts its passes and hands the number to the sampler."""

    def __init__(self, dataset, **options):
        self.loader = DataLoader(dataset, **options)
        self.epoch = 0

    def __len__(self):
        return len(self.loader)

    def __iter__(self):
        sampler = self.loader.sampler
        if hasattr(sampler, "set_epoch"):
            sampler.set_epoch(self.epoch)
        self.epoch += 1
        yield from self.loader


def main():
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    where = {} if dist.is_initialized() else {"num_replicas": 2, "rank": 0}
    x = torch.randn(64, 5)
    dataset = TensorDataset(x, x.sum(1, keepdim=True))
    train_loader = EpochLoader(dataset, batch_size=8, sampler=DistributedSampler(dataset, **where))
    model = nn.Linear(5, 1)
    if dist.is_initialized():
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        for a, b in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(a), b)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
