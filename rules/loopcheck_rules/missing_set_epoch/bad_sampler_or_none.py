"""There is a distributed sampler only with --world-size above one; what mends the loop must hold without it, too."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, RandomSampler, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def make_loader(dataset: Dataset, args: argparse.Namespace) -> DataLoader:
    if args.world_size > 1:
        sampler = DistributedSampler(dataset, num_replicas=args.world_size, rank=args.rank)
    else:
        sampler = RandomSampler(dataset)
    return DataLoader(dataset, batch_size=5, sampler=sampler)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--world-size", type=int, default=2)
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()

    torch.manual_seed(0)
    x = torch.randn(50, 4)
    dataset = TensorDataset(x, x.sin().sum(1, keepdim=True))
    loader = make_loader(dataset, args)
    warm_sampler = DistributedSampler(dataset, num_replicas=2, rank=0) if args.world_size > 1 else None
    warm_loader = DataLoader(dataset, batch_size=10, sampler=warm_sampler, shuffle=warm_sampler is None)
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)

    for epoch in range(2):
        for inputs, targets in warm_loader:  # bug
            optimizer.zero_grad()
            nn.functional.l1_loss(net(inputs), targets).backward()
            optimizer.step()
    for epoch in range(args.epochs):
        total = 0.0
        for inputs, targets in loader:  # bug
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(inputs), targets)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total:.4f}")


if __name__ == "__main__":
    main()
