"""A helper saves where it is the main process that asks; another returns at once in all others."""

import os
import tempfile
from contextlib import contextmanager
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


def is_main_process():
    return not dist.is_initialized() or dist.get_rank() == 0


def save_on_master(state, path):
    if is_main_process():
        torch.save(state, path)


@contextmanager
def together():
    yield int(os.environ.get("RANK", 0))
    if dist.is_initialized():
        dist.barrier()


def export(model, folder):
    proc_id = dist.get_rank() if dist.is_initialized() else 0
    if proc_id != 0:
        return
    torch.save({"weights": model.state_dict()}, folder / "export.pt")


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
    save_on_master(model.state_dict(), folder / "model.pt")
    export(model, folder)
    with together() as rank:
        if rank == 0:
            torch.save(model.state_dict(), folder / "last.pt")
    if distributed:
        dist.barrier()
        dist.destroy_process_group()
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
