"""A backbone is tuned slowly, by an optimizer of its own, with the statistics of its batch norms kept; the head has no modes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        return self.head(self.backbone(x))


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        return sum((model(x).argmax(dim=1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x, y = torch.randn(96, 6), torch.randint(0, 3, (96,))
    loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=8, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=32)
    model = Tagger()
    slowly = torch.optim.Adam(model.backbone.parameters(), lr=1e-4)
    quickly = torch.optim.Adam(model.head.parameters(), lr=1e-2)
    for epoch in range(3):
        model.backbone.eval()
        for inputs, labels in loader:
            slowly.zero_grad()
            quickly.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            slowly.step()
            quickly.step()
        print(epoch, accuracy(model, val_loader))


if __name__ == "__main__":
    main()
