"""Whether the data are shuffled is a setting, and only where they are does the sampler have to know the epoch."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--in-order", action="store_true")
    args = parser.parse_args()

    torch.manual_seed(0)
    x = torch.randn(40, 4)
    dataset = TensorDataset(x, x.sum(1, keepdim=True))
    shuffle = not args.in_order
    sampler = DistributedSampler(dataset, num_replicas=2, rank=0, shuffle=shuffle)
    loader = DataLoader(dataset, batch_size=5, sampler=sampler)

    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(3):
        if shuffle:
            sampler.set_epoch(epoch)
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(inputs), targets)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
