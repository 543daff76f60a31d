"""Batch norms keep their statistics while the rest is trained, also after each look at the validation set."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU())
        self.norm = nn.BatchNorm1d(24)
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(24, 2))

    def forward(self, x):
        return self.head(self.norm(self.backbone(x)))


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def into_train_mode(model):
    model.train()
    for layer in model.backbone.modules():
        if isinstance(layer, nn.BatchNorm1d):
            layer.eval()
    model.norm.eval()


def train_epoch(model, train_loader, val_loader, optimizer, every):
    into_train_mode(model)
    for step, (x, y) in enumerate(train_loader, 1):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        if step % every == 0:
            print(f"step {step}: {accuracy(model, val_loader):.3f}")
            into_train_mode(model)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(96, 12)
    y = (x[:, 0] > x[:, 1]).long()
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        train_epoch(model, train_loader, val_loader, optimizer, every=2)
