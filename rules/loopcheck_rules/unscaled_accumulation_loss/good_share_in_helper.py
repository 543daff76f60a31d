"""A small function that knows no model divides the loss."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4


def share(loss, parts):
    return loss / parts


def run_epoch(model, loader, optimizer, device):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        share(loss, ACCUMULATE).backward()
        if (i + 1) % ACCUMULATE == 0:
            optimizer.step()
            optimizer.zero_grad()
    return loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(64, 5)
    loader = DataLoader(TensorDataset(x, (x[:, 0] * x[:, 1] > 0).long()), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(3):
        print(f"epoch {epoch}: loss {run_epoch(model, loader, optimizer, device):.4f}")


if __name__ == "__main__":
    main()
