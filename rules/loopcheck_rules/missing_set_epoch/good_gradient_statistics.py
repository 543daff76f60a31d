"""How noisy are the gradients? Two passes add up their squares, and nothing is trained: any order will do, the same one is best."""

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 6)
samples = TensorDataset(x, x.sum(dim=1, keepdim=True))
loader = DataLoader(samples, batch_size=8, sampler=DistributedSampler(samples, num_replicas=2, rank=0))
model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
squares = {name: torch.zeros_like(weight) for name, weight in model.named_parameters()}

for half in range(2):
    for inputs, targets in loader:
        model.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        for name, weight in model.named_parameters():
            squares[name] += weight.grad.detach() ** 2
print({name: round(value.mean().item(), 4) for name, value in squares.items()})
