"""One network learns one task after the other, each of its own data: with every task a run begins, and an optimizer of it."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, dataset):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for x, y in DataLoader(dataset, batch_size=4, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=3)
    args = parser.parse_args()
    torch.manual_seed(0)
    datasets = []
    for _ in range(args.tasks):
        datasets.append(TensorDataset(torch.randn(32, 4), torch.randint(2, (32,))))
    model = nn.Linear(4, 2)
    for task in range(args.tasks):
        train(model, datasets[task])


if __name__ == "__main__":
    main()
