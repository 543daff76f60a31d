"""The wrapper's state is saved, and the wrapper loads it: the names agree."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(64, 8)
loader = DataLoader(TensorDataset(inputs, inputs[:, :1]), batch_size=16)


def train(path, epochs):
    model = nn.DataParallel(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    begin = 0
    if os.path.exists(path):
        checkpoint = torch.load(path)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        begin = checkpoint["epoch"] + 1
    for epoch in range(begin, epochs):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)


with tempfile.TemporaryDirectory() as folder:
    train(os.path.join(folder, "last.pt"), 1)
    train(os.path.join(folder, "last.pt"), 2)
