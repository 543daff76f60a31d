"""Gradients as scores: units are pruned by the size of their gradients over a sharded set; nothing is trained on it."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def importance(model, gate, loader):
    """The mean size of the loss's gradient with respect to each gate."""
    scores = torch.zeros_like(gate)
    for x, y in loader:
        loss = nn.functional.cross_entropy(model[2](torch.relu(model[0](x)) * gate), y)
        loss.backward()
        scores += gate.grad.abs()
        gate.grad.zero_()
    return scores / len(loader)


def main():
    torch.manual_seed(0)
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    where = {} if dist.is_initialized() else {"num_replicas": 2, "rank": 0}
    dataset = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    sampler = DistributedSampler(dataset, **where)
    loader = DataLoader(dataset, batch_size=8, sampler=sampler)
    model = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 3))
    gate = torch.ones(16, requires_grad=True)

    for removed in range(1, 4):
        scores = importance(model, gate, loader)
        with torch.no_grad():
            scores[gate == 0] = float("inf")
            gate[scores.argmin()] = 0.0
        print(f"{removed} units removed")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
