"""Resuming without a scheduler state: the schedule is wound forward to the epoch that comes next."""

import argparse

import torch
from torch import nn
from torch.optim.lr_scheduler import MultiStepLR
from torch.utils.data import DataLoader, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--start-epoch", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=5)
    opts = parser.parse_args()

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = nn.Linear(7, 3).to(device)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    decay = MultiStepLR(sgd, milestones=[1, 4], gamma=0.1)
    for _ in range(opts.start_epoch):
        decay.step()

    loader = DataLoader(TensorDataset(torch.randn(36, 7), torch.randint(0, 3, (36,))), batch_size=9, shuffle=True)
    for epoch in range(opts.start_epoch, opts.epochs):
        for x, y in loader:
            sgd.zero_grad()
            loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
            loss.backward()
            sgd.step()
        decay.step()
        print(f"epoch {epoch} loss {loss.item():.3f} lr {sgd.param_groups[0]['lr']:.4f}")


if __name__ == "__main__":
    main()
