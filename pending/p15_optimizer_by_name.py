"""Whichever class of torch.optim the command line names, it is an optimizer of these parameters."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--algorithm", default="SGD")
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(48, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=12, shuffle=True)
    net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    algorithm = getattr(torch.optim, args.algorithm)(net.parameters(), lr=0.01)
    schedule = getattr(torch.optim.lr_scheduler, "StepLR")(algorithm, 1)
    for epoch in range(3):
        schedule.step()  # bug: scheduler-before-optimizer
        for a, b in loader:
            algorithm.zero_grad()
            loss = nn.functional.mse_loss(net(a), b)
            loss.backward()
            algorithm.step()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # bug: clip-after-step
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
