"""The rank is asked, and where nobody starts other processes it is a literal."""

import argparse
import os
import tempfile

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import Process


def train(rank, args):
    model = nn.parallel.DistributedDataParallel(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for epoch in range(2):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(torch.randn(4, 8)), torch.randn(4, 1)).backward()
        optimizer.step()
        if rank == 0:
            torch.save(model.state_dict(), os.path.join(args.folder, f"net_{epoch}.pth"))


def in_group(rank, size, function, args):
    dist.init_process_group("gloo", init_method=f"file://{args.folder}/store", rank=rank, world_size=size)
    function(rank, args)
    dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--folder", default=tempfile.mkdtemp())
    args = parser.parse_args()
    torch.manual_seed(0)
    if args.processes > 1:
        workers = [Process(target=in_group, args=(rank, args.processes, train, args)) for rank in range(args.processes)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    else:
        in_group(0, 1, train, args)
