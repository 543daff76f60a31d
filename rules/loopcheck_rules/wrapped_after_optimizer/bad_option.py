"""An option says how a model is spread over processes; only one of the ways makes new parameters of the old ones."""

import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp.fully_sharded_data_parallel import FullyShardedDataParallel
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser()
parser.add_argument("--spread", choices=["ddp", "fsdp"], default="fsdp")


def main():
    args = parser.parse_args([])
    dist.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
    torch.manual_seed(0)
    local = dist.get_rank() % max(torch.cuda.device_count(), 1)
    device = torch.device("cuda", local) if torch.cuda.is_available() else torch.device("cpu")
    net = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    if args.spread == "fsdp":
        model = FullyShardedDataParallel(net, device_id=device)  # bug
    else:
        model = DistributedDataParallel(net)
    for x in torch.randn(32, 8, device=device).split(8):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
