"""Each fold has a model of its own, and an optimizer for it."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(60, 8), torch.randn(60, 1)
start = nn.Linear(8, 1)

for fold in range(3):
    held_out = torch.arange(60) % 3 == fold
    loader = DataLoader(TensorDataset(x[~held_out], y[~held_out]), batch_size=10, shuffle=True)
    model = copy.deepcopy(start)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(f"fold {fold}: {loss.item():.4f}")
