"""The network is looked up by its name, in one function, and is the model of another, which clears its gradients."""

import argparse
import json

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(args, model, loader):
    groups = [
        {"params": [p for n, p in model.named_parameters() if "bias" not in n], "weight_decay": args.decay},
        {"params": [p for n, p in model.named_parameters() if "bias" in n], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=args.lr)
    model.zero_grad()
    loss = torch.zeros(())
    for _ in range(args.epochs):
        for x, y in loader:
            model.train()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            model.zero_grad()
    return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--network", default="Linear")
    parser.add_argument("--sizes", type=json.loads, default=[4, 1])
    parser.add_argument("--decay", type=float, default=0.1)
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()

    torch.manual_seed(0)
    makes = vars(nn)[args.network]
    chosen = makes(*args.sizes)
    x = torch.randn(24, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=6, shuffle=True)
    print(train(args, chosen, loader))


if __name__ == "__main__":
    main()
