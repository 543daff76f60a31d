"""Copies have the parameters of the model that they wrap; and an optimizer is made again after the model was sharded."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.nn.parallel import DistributedDataParallel


def train(model, optimizer, batches):
    for x in batches:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    local = dist.get_rank() % max(torch.cuda.device_count(), 1)
    device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
    batches = torch.randn(32, 16, device=device).split(16)

    model = nn.Linear(16, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    copied = train(DistributedDataParallel(model), optimizer, batches)

    other = nn.Linear(16, 1).to(device)
    warmup = torch.optim.SGD(other.parameters(), lr=1e-2)
    train(other, warmup, batches)
    other = FullyShardedDataParallel(other, device_id=device)
    optimizer = torch.optim.SGD(other.parameters(), lr=1e-2)
    print(f"losses {copied:.4f} and {train(other, optimizer, batches):.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
