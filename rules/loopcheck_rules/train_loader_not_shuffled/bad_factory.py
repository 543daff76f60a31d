"""A factory gives a distributed run its sampler, and a run of one process nothing in place of it."""

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Rows(Dataset):
    def __init__(self, number):
        self.rows = torch.linspace(-1.0, 1.0, number)[:, None]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], self.rows[index] ** 2


def make_loader(dataset, batch_size, distributed):
    sampler = DistributedSampler(dataset) if distributed else None
    loader = DataLoader(dataset, batch_size, sampler=sampler, num_workers=0)  # bug
    return loader, sampler


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loader, sampler = make_loader(Rows(64), 16, dist.is_initialized())
    for epoch in range(3):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f}")


main()
