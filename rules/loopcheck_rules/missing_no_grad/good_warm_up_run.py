"""A first run on zeros, before anything is measured, so that the kernels are chosen and the memory is there."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def test(model, loader, device):
    model.eval()
    model(torch.zeros(1, 8, device=device))  # run once
    right, seen = 0, 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x.to(device)).argmax(1) == y.to(device)).sum().item()
            seen += len(y)
    return right / seen


def test_with(sizes, model, held_out, device):
    for batch_size in sizes:
        print(f"{batch_size} at a time: {test(model, DataLoader(held_out, batch_size=batch_size), device):.3f}")


def main(sizes, wide):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.randn(96, 8)
    labels = (inputs[:, 0] > 0.0).long()
    train_loader = DataLoader(TensorDataset(inputs[:64], labels[:64]), batch_size=16, shuffle=True)
    held_out = TensorDataset(inputs[64:], labels[64:])
    if wide:
        model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 2)).to(device)
    else:
        model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
    test_with(sizes, model, held_out, device)


if __name__ == "__main__":
    main([8, 16, 32], wide=len(sys.argv) > 1)
