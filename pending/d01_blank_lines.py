"""A toy classifier at module level; the helper that scores it is five lines long, and two blank lines follow it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.randn(120, 2)
labels = (points.norm(dim=1) > 1).long()
train_loader = DataLoader(TensorDataset(points[:80], labels[:80]), batch_size=20, shuffle=True)
val_loader = DataLoader(TensorDataset(points[80:], labels[80:]), batch_size=20)

net = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 2))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)


def accuracy():
    right = 0
    for x, y in val_loader:
        right += (net(x).argmax(1) == y).sum().item()  # bug: missing-eval-mode, missing-no-grad
    return right / 40


for epoch in range(3):
    for x, y in train_loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x), y).backward()
        opt.step()
    print(epoch, accuracy())
