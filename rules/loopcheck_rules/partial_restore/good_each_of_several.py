"""Several optimizers are kept in a list, and each goes on from what was saved of it."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
path = os.path.join(tempfile.mkdtemp(), "run.pt")
loader = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
matrices = torch.optim.SGD([p for p in model.parameters() if p.ndim > 1], lr=0.05, momentum=0.9)
vectors = torch.optim.Adam([p for p in model.parameters() if p.ndim < 2], lr=1e-3)
optimizers = [matrices, vectors]


def save(epoch):
    states = [matrices.state_dict(), vectors.state_dict()]
    torch.save({"epoch": epoch, "model": model.state_dict(), "optimizers": states}, f"{path}.new")
    os.replace(f"{path}.new", path)


def load():
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    for opt, state in zip(optimizers, checkpoint["optimizers"], strict=True):
        opt.load_state_dict(state)
    return checkpoint["epoch"] + 1


start = load() if os.path.exists(path) else 0
for epoch in range(start, 2):
    for x, y in loader:
        model.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        matrices.step()
        vectors.step()
    save(epoch)
print(f"loss {loss.item():.3f}")
