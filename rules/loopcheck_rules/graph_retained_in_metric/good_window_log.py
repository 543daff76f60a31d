"""A log takes what is summed up over a window of two batches, and begins again; an ensemble lists the losses of one batch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 4)
loader = DataLoader(TensorDataset(x, x.mean(dim=1, keepdim=True)), batch_size=8)
members = [nn.Linear(4, 1) for _ in range(5)]
optimizers = [torch.optim.SGD(member.parameters(), lr=0.05) for member in members]

running_loss = 0.0
for number, (inputs, targets) in enumerate(loader):
    losses = []
    for member, optimizer in zip(members, optimizers, strict=True):
        loss = nn.functional.mse_loss(member(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    running_loss += losses[0]
    if number % 2 == 1:
        print(f"batch {number}: {running_loss.item() / 2:.4f}, worst {max(losses).item():.4f}")
        running_loss = 0.0
