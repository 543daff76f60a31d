"""Evaluation, generation and saving go past the wrapper; training does not."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset

if __name__ == "__main__" and "RANK" in os.environ:
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = torch.randn(32, 6)
    train_loader = DataLoader(TensorDataset(data, data[:, :1]), batch_size=4)
    val_loader = DataLoader(TensorDataset(data, data[:, :1]), batch_size=4)
    model = DistributedDataParallel(nn.Sequential(nn.Linear(6, 4), nn.Dropout(0.1), nn.Linear(4, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            for x, y in val_loader:
                print(nn.functional.mse_loss(model.module(x), y).item())
    dist.destroy_process_group()
