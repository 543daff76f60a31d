"""Blocks that could drop out, grown by name and made without it: both modes are one, beside sizes that a file tells."""

import os

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Linear(nn.Module):
    def __init__(self, width, out, spectral=False):
        super().__init__()
        self.linear = nn.Linear(width, out)
        if spectral:
            self.linear = nn.utils.spectral_norm(self.linear)

    def forward(self, x):
        return self.linear(x)


class Block(nn.Module):
    def __init__(self, width, out, activation=None, dropout=None):
        super().__init__()
        self.layers = nn.Sequential()
        self.layers.add_module("linear", Linear(width, out))
        if activation is not None:
            self.layers.add_module("activation", activation)
        self.dropout = dropout

    def forward(self, x):
        x = self.layers(x)
        if self.dropout is not None:
            x = F.dropout(x, self.dropout, self.training)
        return x


class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.width = int(sizes.get("LAYER_WIDTH", 8))
        self.block = Block(8, 8, activation=nn.LeakyReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.block(x))


torch.manual_seed(0)
model = Net(os.environ)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = TensorDataset(torch.randn(64, 8), torch.randint(0, 2, (64,)))
train_loader = DataLoader(data, batch_size=16, shuffle=True)
val_loader = DataLoader(data, batch_size=16)
for epoch in range(3):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    right = 0
    with torch.no_grad():
        for x, y in val_loader:
            right += (model(x).argmax(1) == y).sum().item()
    print(epoch, right / len(data))
