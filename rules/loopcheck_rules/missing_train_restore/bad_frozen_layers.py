"""Batch norms keep their statistics while the rest is trained; a look at the validation set in mid-epoch leaves all in eval mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU())
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(24, 2))

    def forward(self, x):
        return self.head(self.backbone(x))


def accuracy(model, loader):
    model.eval()  # bug
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def train_epoch(model, train_loader, val_loader, optimizer, every):
    model.train()
    for name, layer in model.backbone.named_modules():
        if isinstance(layer, nn.BatchNorm1d):
            layer.eval()
    for step, (x, y) in enumerate(train_loader, 1):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
        if step % every == 0:
            print(f"step {step}: {accuracy(model, val_loader):.3f}")


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
