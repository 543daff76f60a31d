"""Each rank trains its share of the data, and the weights are written when it is over."""

import os
import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def shared_folder():
    """One folder for all ranks."""
    folder = [tempfile.mkdtemp()]
    if "RANK" in os.environ:
        dist.broadcast_object_list(folder)
    return Path(folder[0])


def main():
    torch.manual_seed(0)
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    rank, ranks = (dist.get_rank(), dist.get_world_size()) if distributed else (0, 2)
    folder = shared_folder()

    dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    sampler = DistributedSampler(dataset, num_replicas=ranks, rank=rank)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model = nn.Linear(10, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    wrapped = DistributedDataParallel(model) if distributed else model

    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(wrapped(x), y)
            loss.backward()
            optimizer.step()
    torch.save(model.state_dict(), folder / "model.pt")  # bug
    if distributed:
        dist.barrier()
        dist.destroy_process_group()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
