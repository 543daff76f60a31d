"""The evaluation function never says eval(): each of its callers does, and `predict` serves training as well."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def predict(model, x):
    return model(x).squeeze(1)


@torch.no_grad()
def mean_error(model, loader):
    errors = [(predict(model, x) - y).abs() for x, y in loader]
    return torch.cat(errors).mean().item()


def report(model, loader, title):
    was_training = model.training
    model.eval()
    print(f"{title}: {mean_error(model, loader):.4f}")
    model.train(was_training)


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 4)
    y = x.sum(1)
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    report(model, val_loader, "untrained")
    for epoch in range(3):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(predict(model, a), b)
            loss.backward()
            optimizer.step()
        report(model, val_loader, f"epoch {epoch}")
    model.eval()
    print(f"final: {mean_error(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
