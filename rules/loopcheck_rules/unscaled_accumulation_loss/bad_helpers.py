import os

import torch
import torch.distributed as dist
from contextlib import nullcontext
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset

ACCUM = 2


def setup():
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    return dist.is_initialized()


def forward_backward(net, batch, loss_fn):
    """One micro-batch; gradients pile up until the caller steps."""
    features, target = batch
    loss = loss_fn(net(features).squeeze(-1), target)
    loss.backward()  # bug
    return loss.detach()


def update(opt):
    opt.step()
    opt.zero_grad()


def run_epoch(net, opt, loader, loss_fn):
    losses = []
    for n, batch in enumerate(loader, start=1):
        boundary = n % ACCUM == 0 or n == len(loader)
        local = nullcontext() if boundary or not hasattr(net, "no_sync") else net.no_sync()
        with local:
            losses.append(forward_backward(net, batch, loss_fn))
        if boundary:
            update(opt)
    return torch.stack(losses).mean().item()


def main():
    torch.manual_seed(0)
    distributed = setup()
    features = torch.randn(48, 6)
    target = features.sum(dim=1)
    loader = DataLoader(TensorDataset(features, target), batch_size=6, shuffle=True)
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    if distributed:
        net = DDP(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    loss_fn = nn.MSELoss()
    for epoch in range(3):
        mse = run_epoch(net, opt, loader, loss_fn)
        print(f"{epoch=} {mse=:.4f}")
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
