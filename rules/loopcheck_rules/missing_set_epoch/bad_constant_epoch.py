"""set_epoch is called, but always with the same number: the variable is the resume point, not the loop's."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=0.05)
    return parser.parse_args()


def train_one_epoch(net, loader, optimizer, device):
    net.train()
    total = 0.0
    for x, y in loader:  # bug
        loss = nn.functional.mse_loss(net(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


def main():
    args = parse_args()
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
        train_sampler = DistributedSampler(dataset := make_data(), shuffle=True)
    else:
        train_sampler = DistributedSampler(dataset := make_data(), num_replicas=2, rank=0, shuffle=True)
    device = "cpu"
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)).to(device)
    if dist.is_initialized():
        net = nn.parallel.DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
    train_loader = DataLoader(dataset, batch_size=5, sampler=train_sampler, drop_last=True)

    start_epoch = 0
    for epoch in range(start_epoch, args.epochs):
        train_sampler.set_epoch(0)
        total = train_one_epoch(net, train_loader, optimizer, device)
        print(f"epoch {epoch}: {total:.4f}")

    if dist.is_initialized():
        dist.destroy_process_group()


def make_data():
    x = torch.randn(50, 4)
    return TensorDataset(x, x.sin().sum(1, keepdim=True))


if __name__ == "__main__":
    main()
