"""Parts already in eval mode are put behind one another for the test: wrapping changes the mode of none of them."""

import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(encoder, head, train_loader, valid_loader, folder, epochs=2):
    model = nn.Sequential(encoder, head)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best = float("inf")
    for _ in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            loss = sum(nn.functional.cross_entropy(model(x), y).item() for x, y in valid_loader)
        if loss < best:
            best = loss
            torch.save(encoder, folder / "encoder.pt")  # bug: non-atomic-checkpoint
            torch.save(head, folder / "head.pt")  # bug: non-atomic-checkpoint


def single_test(encoder, head, test_loader):
    model = nn.Sequential(encoder, head)
    right = total = 0
    with torch.no_grad():
        for x, y in test_loader:
            right += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return right / total


def main():
    torch.manual_seed(0)
    x = torch.randn(128, 6)
    y = (x.sum(1) > 0).long()
    parts = [DataLoader(TensorDataset(x[at : at + 32], y[at : at + 32]), batch_size=16, shuffle=at == 0) for at in (0, 32, 64)]
    encoder = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train(encoder, nn.Linear(16, 2), parts[0], parts[1], folder)
        encoder = torch.load(folder / "encoder.pt", weights_only=False)
        head = torch.load(folder / "head.pt", weights_only=False)
        print(f"{single_test(encoder, head, parts[2]):.3f}")


if __name__ == "__main__":
    main()
