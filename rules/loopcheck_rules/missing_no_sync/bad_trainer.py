"""A trainer that wraps its model, counts micro-batches by itself, and has a method for each of them."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model, accumulate):
        self.distributed = "RANK" in os.environ
        self.model = DDP(model) if self.distributed else model
        self.accumulate = accumulate
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3, weight_decay=0.0)

    def micro_batch(self, x, y):
        loss = nn.functional.mse_loss(self.model(x), y) / self.accumulate
        loss.backward()  # bug
        return loss.item()

    def fit(self, loader):
        total = 0.0
        for number, (x, y) in enumerate(loader, 1):
            total += self.micro_batch(x, y)
            if number % self.accumulate == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return total


if __name__ == "__main__":
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    torch.manual_seed(0)
    inputs = torch.randn(32, 6)
    batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(inputs, inputs.sum(dim=1, keepdim=True)), batch_size=4)
    print(Trainer(nn.Linear(6, 1), 2).fit(batches))
    if "RANK" in os.environ:
        dist.destroy_process_group()
