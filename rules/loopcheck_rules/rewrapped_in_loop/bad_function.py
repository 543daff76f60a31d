"""A function trains an epoch, and wraps the model that it is given before it does."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train_epoch(model, loader, optimizer):
    ddp = DDP(model)  # bug
    ddp.train()
    for x, y in loader:
        loss = nn.functional.mse_loss(ddp(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    sampler = DistributedSampler(TensorDataset(x, x.sum(dim=1, keepdim=True)))
    loader = DataLoader(sampler.dataset, batch_size=8, sampler=sampler)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        loss = train_epoch(model, loader, optimizer)
    print(f"loss {loss:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
