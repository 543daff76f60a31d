"""A trainer that takes its model out of the wrapper to compute two outputs, in a method of its own."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, network):
        self.model = DDP(network)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    def step(self, x, y):
        self.optimizer.zero_grad()
        found = self.model.module(x)  # bug
        loss = nn.functional.mse_loss(found, y)
        loss.backward()
        self.optimizer.step()
        return loss.item()


if __name__ == "__main__" and "RANK" in os.environ:
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    trainer = Trainer(nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1)))
    for x in torch.randn(8, 4, 6):
        trainer.step(x + dist.get_rank(), x.sum(dim=1, keepdim=True))
    dist.destroy_process_group()
