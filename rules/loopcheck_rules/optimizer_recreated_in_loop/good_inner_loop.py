"""A task adapts a copy of the model, with an optimizer for that copy; the model itself has one of its own."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
tasks = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
outer = torch.optim.SGD(model.parameters(), lr=0.1)

for x, y in tasks:
    adapted = copy.deepcopy(model)
    inner = torch.optim.Adam(adapted.parameters(), lr=0.01)
    for _ in range(3):
        inner.zero_grad()
        loss = nn.functional.mse_loss(adapted(x), y)
        loss.backward()
        inner.step()
    outer.zero_grad()
    for parameter, moved in zip(model.parameters(), adapted.parameters()):
        parameter.grad = parameter.detach() - moved.detach()
    outer.step()
print(f"{loss.item():.4f}")
