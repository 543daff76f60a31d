"""Blocks of a class of one's own, appended in a loop, beside pooling that has nothing to learn."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.conv = nn.Conv1d(width, width, 3, padding=1)
        self.norm = nn.GroupNorm(2, width)

    def forward(self, x):
        return x + torch.relu(self.norm(self.conv(x)))


class Encoder(nn.Module):
    def __init__(self, width=8, depth=2):
        super().__init__()
        self.stem = nn.Conv1d(1, width, 3, padding=1)
        self.blocks = []  # bug
        for _ in range(depth):
            self.blocks.append(Block(width))
        self.pools = [nn.MaxPool1d(2) for _ in range(depth)]
        self.head = nn.Linear(width, 2)

    def forward(self, x):
        x = self.stem(x)
        for block, pool in zip(self.blocks, self.pools, strict=True):
            x = pool(block(x))
        return self.head(x.mean(dim=2))


torch.manual_seed(0)
signals = torch.randn(64, 1, 16)
labels = (signals.mean(dim=(1, 2)) > 0).long()
encoder = Encoder()
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.05)
criterion = nn.CrossEntropyLoss()
for x, y in DataLoader(TensorDataset(signals, labels), batch_size=16, shuffle=True):
    optimizer.zero_grad()
    criterion(encoder(x), y).backward()
    optimizer.step()
