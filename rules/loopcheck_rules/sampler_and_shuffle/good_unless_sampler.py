"""`shuffle` follows from whether there is a sampler."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")

    dataset = TensorDataset(torch.randn(48, 6), torch.randint(0, 2, (48,)))
    train_sampler = DistributedSampler(dataset) if dist.is_initialized() else None
    train_loader = DataLoader(
        dataset, batch_size=args.batch_size, shuffle=(train_sampler is None), sampler=train_sampler, drop_last=True
    )
    model = nn.Linear(6, 2)
    if dist.is_initialized():
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        if train_sampler is not None:
            train_sampler.set_epoch(epoch)
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
