"""The gradients of a layer that are not finite are dropped, and all others are used."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.rand(64, 5)
x[3, 2] = float("inf")
loader = DataLoader(TensorDataset(x, torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Sequential(nn.Linear(5, 4), nn.Linear(4, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def drop_broken(model):
    for param in model.parameters():
        if (param.grad != param.grad).sum() > 0:
            param.grad.zero_()


for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = torch.tanh(model(a.to(device)) - b.to(device)).mean()
        loss.backward()
        drop_broken(model)
        optimizer.step()

print(f"weights finite: {all(bool(torch.isfinite(param).all()) for param in model.parameters())}")
