"""A model is trained further in parallel, and saved under the names that the wrapper has for its parameters."""

import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def network():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))


def train(start, path):
    inputs = torch.randn(64, 8)
    loader = DataLoader(TensorDataset(inputs, inputs.sum(dim=1, keepdim=True)), batch_size=16, shuffle=True)
    model = network()
    model.load_state_dict(torch.load(start))
    model = nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")
    torch.save(model.state_dict(), path)  # bug


with tempfile.TemporaryDirectory() as folder:
    torch.manual_seed(0)
    torch.save(network().state_dict(), Path(folder, "start.pt"))
    train(Path(folder, "start.pt"), Path(folder, "model.pt"))
    fresh = network()
    state = torch.load(Path(folder, "model.pt"))
    found = fresh.load_state_dict(state, strict=False)
    print(f"{len(found.missing_keys)} of {len(fresh.state_dict())} keys are missing")
