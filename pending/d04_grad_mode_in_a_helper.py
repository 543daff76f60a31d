"""`set_grad_enabled` as a statement holds until it is said otherwise, also after the helper that says it has returned."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def begin(model, training):
    model.train(training)
    torch.set_grad_enabled(training)


def begin_evaluation(model):
    model.eval()
    torch.set_grad_enabled(False)


def validate(model, loader):
    begin_evaluation(model)
    right = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
    return right / len(loader.dataset)


def train_epoch(model, loader, optimizer):
    begin(model, True)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def main():
    torch.manual_seed(0)
    x = torch.randn(90, 4)
    y = (x[:, 0] > x[:, 1]).long()
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=15, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=15)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        train_epoch(model, train_loader, optimizer)
        print(f"epoch {epoch}: {validate(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
