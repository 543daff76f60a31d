"""One of two models, and its parameters in two groups: what is backpropagated, clipped and stepped is the same one."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Pairs(nn.Module):
    def __init__(self):
        super().__init__()
        self.left, self.right = nn.Linear(6, 16), nn.Linear(6, 16)
        self.norm, self.out = nn.LayerNorm(16), nn.Linear(16, 3)

    def forward(self, x):
        return self.out(self.norm(self.left(x) * self.right(x)))


class Single(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.norm, self.out = nn.Linear(6, 16), nn.LayerNorm(16), nn.Linear(16, 3)

    def forward(self, x):
        return self.out(torch.relu(self.norm(self.hidden(x))))


def master_params(optimizer):
    for group in optimizer.param_groups:
        yield from group["params"]


def train(args, model, loader):
    spared = ["bias", "norm.weight"]
    groups = [
        {"params": [p for n, p in model.named_parameters() if not any(s in n for s in spared)], "weight_decay": 0.05},
        {"params": [p for n, p in model.named_parameters() if any(s in n for s in spared)], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=args.lr)
    model.zero_grad()
    for _ in range(2):
        for x, y in loader:
            model.train()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(master_params(optimizer), args.max_norm)
            optimizer.step()
            model.zero_grad()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--max-norm", type=float, default=1.0)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    loader = DataLoader(TensorDataset(x, x[:, :3].argmax(1)), batch_size=16, shuffle=True)
    if args.pairs:
        model = Pairs()
    else:
        model = Single()
    train(args, model, loader)


if __name__ == "__main__":
    main()
