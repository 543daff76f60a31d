"""A log line names the model's class; that hands the model to nobody."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def validate(model, loader):
    print("evaluating {} on {} batches".format(model.__class__.__name__, len(loader)))
    right = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x).argmax(1) == y).sum().item()  # bug: missing-eval-mode
    return right / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(80, 5)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
    model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(a), b).backward()
            optimizer.step()
        message = "{}: {:.3f} after {}".format(model.__class__, validate(model, val_loader), epoch)
        print(message)


if __name__ == "__main__":
    main()
