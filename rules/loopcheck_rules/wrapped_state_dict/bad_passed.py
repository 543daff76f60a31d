"""A model goes on from a file, and its wrapper is handed to a function that saves what it is given."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def keep(net, folder):
    state = net.state_dict()  # bug
    torch.save(state, os.path.join(folder, "net.pt"))


torch.manual_seed(0)
inputs = torch.randn(64, 8)
loader = DataLoader(TensorDataset(inputs, inputs[:, :1]), batch_size=16)
model = nn.Linear(8, 1)
with tempfile.TemporaryDirectory() as folder:
    torch.save(model.state_dict(), os.path.join(folder, "start.pt"))
    model.load_state_dict(torch.load(os.path.join(folder, "start.pt")))
    parallel = torch.nn.DataParallel(model)
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(parallel(x), y).backward()
        optimizer.step()
    keep(parallel, folder)
    torch.save(model.state_dict(), os.path.join(folder, "model.pt"))
