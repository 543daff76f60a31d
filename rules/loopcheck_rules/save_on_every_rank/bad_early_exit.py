"""The first rank says what is missing and stops. Where nothing is missing all ranks go on, and all of them save the whole model."""

import argparse
import os
import sys
import tempfile

import torch
from torch import distributed as dist
from torch import nn


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=32)
    parser.add_argument("--out", default=None)
    return parser.parse_args()


def main():
    args = parse()
    if "RANK" not in os.environ:
        os.environ.update(RANK="0", WORLD_SIZE="1", MASTER_ADDR="localhost", MASTER_PORT="0")
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    if args.rows < 1 and rank == 0:
        print("no rows to train on: see --rows", file=sys.stderr)
        sys.exit(1)
    folder = [args.out or tempfile.mkdtemp()]
    dist.broadcast_object_list(folder)

    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    averaged = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for inputs in torch.randn(args.rows, 4).split(8):
        optimizer.zero_grad()
        loss = (averaged(inputs) - inputs.mean(dim=1, keepdim=True)).pow(2).mean()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(f"loss {loss.item():.4f}")
    torch.save(model, os.path.join(folder[0], "model.th"))  # bug
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
