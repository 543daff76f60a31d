"""Sharded or replicated; each is clipped in its own way."""

import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset

MAX_NORM = 0.1


def clip(model, max_norm):
    if isinstance(model, FSDP):
        return model.clip_grad_norm_(max_norm)
    return nn.utils.clip_grad_norm_(model.parameters(), max_norm)


def train(model, loader, device, strategy, epochs=2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            if i == 0:
                norm = clip(model, MAX_NORM)
            elif strategy == "fsdp":
                norm = model.clip_grad_norm_(MAX_NORM)
            else:
                norm = nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"{strategy} {epoch}: loss {loss.item():.3f}, gradient norm {float(norm):.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--strategy", choices=["ddp", "fsdp"], default="fsdp")
    args = parser.parse_args([])
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    device = torch.device("cuda", dist.get_rank()) if torch.cuda.is_available() else torch.device("cpu")
    model = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 3)).to(device)
    if args.strategy == "fsdp":
        model = FSDP(model, device_id=device)
    else:
        model = DDP(model)
    data = TensorDataset(torch.randn(48, 10), torch.randint(0, 3, (48,)))
    train(model, DataLoader(data, batch_size=12, shuffle=True), device, args.strategy)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
