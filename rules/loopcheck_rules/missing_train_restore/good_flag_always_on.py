"""A flag that can only be set to what it is already: the average is tested, and never the network that trains."""

import argparse
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@torch.no_grad()
def test(model, loader):
    model.eval()
    return sum((model(x).argmax(dim=1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--use-ema", action="store_true", default=True)
    parser.add_argument("--decay", type=float, default=0.9)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(96, 8)
    y = (x[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
    ema = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(3):
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
            with torch.no_grad():
                for mine, theirs in zip(ema.parameters(), model.parameters(), strict=True):
                    mine.lerp_(theirs, 1 - args.decay)
        if args.use_ema:
            test_model = ema
        else:
            test_model = model
        print(f"epoch {epoch}: {test(test_model, test_loader):.3f}")


if __name__ == "__main__":
    main()
