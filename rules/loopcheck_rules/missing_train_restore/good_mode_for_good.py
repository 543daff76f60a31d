"""`model.train(flag)` with one flag for the whole run: fine-tuning keeps the pretrained statistics. Done for several rates."""

import argparse
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, loader, optimizer, set_training_mode=True):
    model.train(set_training_mode)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum((model(x).argmax(dim=1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def network(width):
    return nn.Sequential(nn.Linear(12, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, 2))


def main(args):
    torch.manual_seed(0)
    x = torch.randn(96, 12)
    y = (x[:, 0] > x[:, 1]).long()
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = {"small": network, "large": lambda width: network(2 * width)}[args.arch](args.width)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        train_one_epoch(model, train_loader, optimizer, set_training_mode=args.finetune == "")
        print(f"{args.lr} {epoch}: {evaluate(model, val_loader):.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--arch", default="small")
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--finetune", default="checkpoint")
    parser.add_argument("--lrs", default="0.1,0.01")
    args = parser.parse_args()
    for lr in args.lrs.split(","):
        one = copy.deepcopy(args)
        one.lr = float(lr)
        main(one)
