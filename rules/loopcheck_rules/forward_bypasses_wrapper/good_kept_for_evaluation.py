"""The name that a network has kept is for evaluation, and for its parameters."""

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
    raw_model = model
    if ddp:
        model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    for x, y in loader:
        optimizer.zero_grad()
        _, loss = model(x, targets=y)
        loss.backward()
        optimizer.step()
    raw_model.eval()
    with torch.no_grad():
        _, error = raw_model(*dataset[:8])
    print(f"rank {rank}: error {error:.4f}, loss {loss.item():.4f}, {sum(each.numel() for each in raw_model.parameters())} parameters")
    if ddp:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
