"""One flag starts several processes and has the sampler told the epoch; whether there is one, the group of processes says."""

import argparse
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def start(args):
    if args.distributed:
        os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
        os.environ.setdefault("MASTER_PORT", "29511")
        dist.init_process_group("gloo", rank=args.rank, world_size=args.world_size)


def make_loader(data):
    sampler = None
    if dist.is_available() and dist.is_initialized():
        sampler = DistributedSampler(data)
    return DataLoader(data, batch_size=6, sampler=sampler, shuffle=sampler is None)


def run(loader, model, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def worker(rank, args):
    args.rank = rank
    start(args)
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(48, 10), torch.randint(0, 3, (48,)))
    loader = make_loader(data)
    model = nn.Linear(10, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        if args.distributed:
            loader.sampler.set_epoch(epoch)
        run(loader, model, optimizer)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--world-size", type=int, default=2)
    args = parser.parse_args()
    if args.distributed:
        mp.spawn(worker, nprocs=args.world_size, args=(args,))
    else:
        worker(0, args)


if __name__ == "__main__":
    main()
