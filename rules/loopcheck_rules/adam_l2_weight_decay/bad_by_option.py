"""A trainer whose decay is an option; biases are spared."""

import argparse

import torch
from torch import nn, optim


class Trainer:
    def __init__(self, model, args):
        self.model = model
        decayed = [p for p in model.parameters() if p.dim() > 1]
        spared = [p for p in model.parameters() if p.dim() < 2]
        groups = [{"params": decayed}, {"params": spared, "weight_decay": 0.0}]
        self.optimizer = optim.Adam(groups, lr=args.lr, weight_decay=args.weight_decay)  # bug

    def fit(self, x, y):
        for _ in range(4):
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        print(f"loss {loss.item():.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--weight-decay", type=float, default=0.05)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    Trainer(model, parser.parse_args()).fit(torch.randn(32, 4), torch.randint(2, (32,)))


main()
