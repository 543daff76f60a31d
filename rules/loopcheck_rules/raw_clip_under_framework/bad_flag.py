"""Sharded unless told otherwise; clipped the same way in both cases."""

import argparse

import torch
import torch.distributed as dist
from torch import nn, optim
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--no-fsdp", action="store_true", help="keep a full copy of the model on each rank")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--grad-clip", type=float, default=0.1)


def build(args, device):
    model = nn.Sequential(nn.Flatten(), nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 10)).to(device)
    if args.no_fsdp:
        return DDP(model)
    return FSDP(model, device_id=device)


def train(args, model, device, loader, optimizer, epoch):
    model.train()
    for data, target in loader:
        optimizer.zero_grad()
        output = model(data.to(device))
        loss = nn.functional.cross_entropy(output, target.to(device), reduction="sum") / len(data)
        loss.backward()
        if args.grad_clip > 0:
            nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)  # bug
        optimizer.step()
    if dist.get_rank() == 0:
        print(f"epoch {epoch}: {loss.item():.4f}")


def main():
    args = parser.parse_args([])
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    if torch.cuda.is_available():
        device = torch.device("cuda", dist.get_rank())
        torch.cuda.set_device(device)
    else:
        device = torch.device("cpu")
    dataset = TensorDataset(torch.randn(96, 8, 8), torch.randint(0, 10, (96,)))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=12, sampler=sampler)
    model = build(args, device)
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        train(args, model, device, loader, optimizer, epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
