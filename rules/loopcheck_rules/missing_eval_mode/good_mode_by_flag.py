"""One function runs both kinds of epoch; whether an optimizer is given decides the mode and the gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def run_epoch(model, loader, optimizer=None):
    training = optimizer is not None
    model.train(training)
    hits = 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            logits = model(x)
            if training:
                loss = nn.functional.cross_entropy(logits, y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            hits += (logits.argmax(1) == y).sum().item()
    return hits / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(90, 7)
    y = x.argmax(1)
    loaders = {
        "train": DataLoader(TensorDataset(x[:70], y[:70]), batch_size=14, shuffle=True),
        "val": DataLoader(TensorDataset(x[70:], y[70:]), batch_size=10),
    }
    model = nn.Sequential(nn.Linear(7, 21), nn.BatchNorm1d(21), nn.ReLU(), nn.Dropout(0.2), nn.Linear(21, 7))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(3):
        train_acc = run_epoch(model, loaders["train"], optimizer)
        val_acc = run_epoch(model, loaders["val"])
        print(f"epoch {epoch}: train {train_acc:.3f} val {val_acc:.3f}")


if __name__ == "__main__":
    main()
