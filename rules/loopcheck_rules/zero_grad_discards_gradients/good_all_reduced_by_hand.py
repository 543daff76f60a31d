"""Without DDP: between backward and step the gradients are put in one buffer, averaged over the ranks and copied back."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def average_gradients(model, world_size):
    """All gradients in a single message."""
    grads = [p.grad for p in model.parameters() if p.grad is not None]
    flat = torch.cat([grad.reshape(-1) for grad in grads])
    if world_size > 1:
        dist.all_reduce(flat)
    flat /= world_size
    offset = 0
    for grad in grads:
        grad.copy_(flat[offset : offset + grad.numel()].view_as(grad))
        offset += grad.numel()


def main():
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    world_size = dist.get_world_size() if dist.is_initialized() else 1
    rank = dist.get_rank() if dist.is_initialized() else 0
    x = torch.randn(96, 5)
    y = x.square().sum(1, keepdim=True)
    shard = TensorDataset(x[rank::world_size], y[rank::world_size])
    loader = DataLoader(shard, batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(3):
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(a), b)
            loss.backward()
            average_gradients(model, world_size)
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
        if rank == 0:
            print(f"epoch {epoch}: {loss.item():.4f}")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
