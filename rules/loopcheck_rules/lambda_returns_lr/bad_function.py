"""A function of the settings gives the rate of each epoch, cut by ten at the milestones."""

import argparse

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--epochs", type=int, default=4)
args = parser.parse_args([])


def adjust_learning_rate(epoch):
    lr = args.lr
    if epoch >= 3:
        lr *= 0.1
    return lr


def main():
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = LambdaLR(optimizer, lr_lambda=adjust_learning_rate)  # bug
    for _ in range(args.epochs):
        for batch in x.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
        scheduler.step()
    print(f"loss {loss.item():.4f}")


main()
