"""What is saved is the model itself: by its own name, out of the wrapper, after it was unwrapped, and by a helper."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def bare(model):
    return model.module if isinstance(model, nn.DataParallel) else model


def save(net, path):
    torch.save(net.state_dict(), path)


torch.manual_seed(0)
inputs = torch.randn(64, 8)
loader = DataLoader(TensorDataset(inputs, inputs[:, :1]), batch_size=16)
model = nn.Linear(8, 1)
parallel = nn.DataParallel(model)
optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
with tempfile.TemporaryDirectory() as folder:
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(parallel(x), y).backward()
        optimizer.step()
    torch.save(model.state_dict(), os.path.join(folder, "own.pt"))
    save(parallel.module, os.path.join(folder, "out.pt"))
    save(bare(parallel), os.path.join(folder, "helper.pt"))
    before = {name: each.clone() for name, each in parallel.state_dict().items()}
    parallel = parallel.module
    torch.save({"model": parallel.state_dict()}, os.path.join(folder, "unwrapped.pt"))
    model.load_state_dict(torch.load(os.path.join(folder, "own.pt")))
    print(len(before))
