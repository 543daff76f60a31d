"""One process or several: where there are several, the rank is asked; where there is one, nobody need be."""

import argparse
import io
import os

import torch
import torch.distributed as dist
from torch import nn


def save_checkpoint(state, file):
    torch.save(state, file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--multiprocessing-distributed", action="store_true")
    args = parser.parse_args()
    args.multiprocessing_distributed |= "RANK" in os.environ
    args.rank = int(os.environ.get("RANK", 0))
    torch.manual_seed(0)
    if args.multiprocessing_distributed:
        dist.init_process_group("gloo")
    net = model = nn.Linear(4, 4)
    if args.multiprocessing_distributed:
        model = nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for batch in torch.randn(32, 4).split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch)
            loss.backward()
            optimizer.step()
        if not args.multiprocessing_distributed or (args.multiprocessing_distributed and args.rank % 4 == 0):
            save_checkpoint({"epoch": epoch, "state_dict": net.state_dict()}, io.BytesIO())
    if args.multiprocessing_distributed:
        dist.destroy_process_group()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
