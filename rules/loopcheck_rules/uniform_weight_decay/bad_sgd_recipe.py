#!/usr/bin/env python
# The classic recipe, with the optimizer chosen on the command line.
import argparse

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def get_args():
    parser = argparse.ArgumentParser(description="CIFAR-like training")
    parser.add_argument("--lr", default=0.1, type=float)
    parser.add_argument("--momentum", default=0.9, type=float)
    parser.add_argument("--wd", "--weight-decay", dest="weight_decay", default=5e-4, type=float)
    parser.add_argument("--epochs", default=2, type=int)
    return parser.parse_args()


def build_optimizer(args, net):
    return optim.SGD(net.parameters(), args.lr, momentum=args.momentum, weight_decay=args.weight_decay)  # bug


def train(net, loader, optimizer, criterion, epoch):
    net.train()
    correct = total = 0
    for inputs, targets in loader:
        optimizer.zero_grad()
        outputs = net(inputs)
        loss = criterion(outputs, targets)
        loss.backward()
        optimizer.step()
        correct += outputs.argmax(1).eq(targets).sum().item()
        total += targets.size(0)
    print("Epoch: %d | Acc: %.1f%% (%d/%d)" % (epoch, 100.0 * correct / total, correct, total))


def main():
    args = get_args()
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv2d(1, 6, 3), nn.BatchNorm2d(6), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 16, 10))
    loader = DataLoader(TensorDataset(torch.rand(64, 1, 6, 6), torch.arange(64) % 10), batch_size=16, shuffle=True)
    optimizer = build_optimizer(args, net)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        train(net, loader, optimizer, criterion, epoch)


if __name__ == "__main__":
    main()
