"""Distributed data parallel, also by itself: `python bad_ddp.py` is a world of one, `torchrun` gives it more."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def setup():
    if "RANK" not in os.environ:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
        return 0
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    return int(os.environ.get("LOCAL_RANK", 0))


def train(local_rank, epochs=2, max_norm=1.0):
    torch.manual_seed(0)
    on_gpu = torch.cuda.is_available() and dist.get_backend() == "nccl"
    device = torch.device("cuda", local_rank) if on_gpu else torch.device("cpu")

    dataset = TensorDataset(torch.randn(64, 12), torch.randint(0, 3, (64,)))
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)

    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3)).to(device)
    model = DDP(model, device_ids=[local_rank] if on_gpu else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
            torch.nn.utils.clip_grad_norm_(model.module.parameters(), max_norm)  # bug
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    train(setup())
    dist.destroy_process_group()
