"""A function wraps the network where several processes train it: that is trained, and the network itself only where there is one."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x, targets):
        found = self.layers(x).squeeze(1)
        return found, nn.functional.mse_loss(found, targets)


def prepared(network, several):
    if not several:
        return network
    network = DDP(network)
    print(f"one of {dist.get_world_size(network.process_group)}")
    return network


def main():
    torch.manual_seed(0)
    ddp = int(os.environ.get("WORLD_SIZE", 1)) > 1
    rank, ranks = 0, 1
    if ddp:
        dist.init_process_group("gloo")
        rank, ranks = dist.get_rank(), dist.get_world_size()
    dataset = TensorDataset(torch.randn(64, 6), torch.randn(64))
    sampler = DistributedSampler(dataset, ranks, rank, shuffle=False)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model = Regressor()
    wrapped = prepared(model, ddp)
    optimizer = torch.optim.SGD(wrapped.parameters(), lr=0.05)

    for x, y in loader:
        optimizer.zero_grad()
        _, loss = wrapped(x, targets=y) if ddp else model(x, targets=y)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        model(x, y)
    print(f"rank {rank}: loss {loss.item():.4f}, {sum(each.numel() for each in model.parameters())} parameters")
    if ddp:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
