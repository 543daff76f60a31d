"""A frozen body comes in eval mode from what loads it; the validation puts the head's batch norm there as well, for good."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Body(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Dropout(0.1))

    def forward(self, x):
        return self.layers(x)


def load_body():
    model = Body()
    for weight in model.parameters():
        weight.requires_grad = False
    return model.eval()


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = load_body()
        self.norm = nn.BatchNorm1d(24, affine=False)
        self.head = nn.Linear(24, 2)

    def forward(self, x):
        return self.head(self.norm(self.body(x)))


def train_epoch(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


@torch.no_grad()
def accuracy(model, loader):
    model.eval()  # bug
    return sum((model(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(96, 12)
    y = (x[:, 0] > x[:, 1]).long()
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = Classifier()
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    for epoch in range(3):
        train_epoch(model, train_loader, optimizer)
        print(f"epoch {epoch}: {accuracy(model, val_loader):.3f}")
