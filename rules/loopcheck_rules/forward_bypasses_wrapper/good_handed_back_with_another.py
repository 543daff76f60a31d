"""A function wraps the network and hands it back beside its optimizer: the name that takes it stands for the wrapper."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def for_several(model, optimizer, several):
    if several:
        model = DDP(model)
    return model, optimizer


class Trainer:
    def __init__(self, several):
        model = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        model, optimizer = for_several(model, optimizer, several)
        self.network = model
        self.optimizer = optimizer

    def train(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            loss = loss_of(self.network, x, y)
            loss.backward()
            self.optimizer.step()
        return loss.item()


def loss_of(model, x, y):
    return nn.functional.mse_loss(model(x).squeeze(1), y)


def main():
    torch.manual_seed(0)
    several = int(os.environ.get("WORLD_SIZE", 1)) > 1
    rank, ranks = 0, 1
    if several:
        dist.init_process_group("gloo")
        rank, ranks = dist.get_rank(), dist.get_world_size()
    dataset = TensorDataset(torch.randn(64, 6), torch.randn(64))
    sampler = DistributedSampler(dataset, ranks, rank, shuffle=False)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    print(f"rank {rank}: loss {Trainer(several).train(loader):.4f}")
    if several:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
