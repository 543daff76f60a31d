"""Optimizers in a set, and networks in a dictionary that is copied whole."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
train_loader = DataLoader(TensorDataset(x[:48], x[:48].sum(1, keepdim=True)), batch_size=12, shuffle=True)
val_loader = DataLoader(TensorDataset(x[48:], x[48:].sum(1, keepdim=True)), batch_size=8)

start = {"trunk": nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.1)), "head": nn.Linear(16, 1)}
nets = copy.deepcopy(start)
trainers = set()
trainers.add(torch.optim.Adam(nets["trunk"].parameters(), lr=1e-3))
trainers.add(torch.optim.Adam(nets["head"].parameters(), lr=1e-2))

for epoch in range(2):
    nets["trunk"].train()
    for a, b in train_loader:
        loss = nn.functional.mse_loss(nets["head"](nets["trunk"](a)), b)
        loss.backward()  # bug: missing-zero-grad
        for each in trainers:
            each.step()
    nets["trunk"].eval()
    total = 0.0
    for a, b in val_loader:
        hidden = nets["trunk"](a)  # bug: missing-no-grad
        total += nn.functional.mse_loss(nets["head"](hidden), b).item()  # bug: missing-no-grad
    print(epoch, total / len(val_loader))
