"""Two files, each with arguments of its own; that both have a flag `--late` says nothing of one by the other."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import limits


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--late", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(64, 3)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        for a, b in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            if args.late:
                optimizer.step()
            limits.apply(model)
            if not args.late:
                optimizer.step()


if __name__ == "__main__":
    main()
