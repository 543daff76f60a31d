"""Parts that fit: the decay has what the warm-up leaves, the run is longer by the warm-up, or the rate waits between the two."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ConstantLR, CosineAnnealingLR, LinearLR, SequentialLR
from torch.utils.data import DataLoader, TensorDataset

epochs, warmup_epochs = 4, 2


def train(loader, rounds, parts_of, milestones):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scheduler = SequentialLR(optimizer, parts_of(optimizer), milestones=milestones)
    for _epoch in range(rounds):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        scheduler.step()
    print(f"last rate {scheduler.get_last_lr()[0]:.4f}")


def left_over(optimizer):
    return [LinearLR(optimizer, 0.1, total_iters=warmup_epochs), CosineAnnealingLR(optimizer, T_max=epochs - warmup_epochs)]


def all_epochs(optimizer):
    return [LinearLR(optimizer, 0.1, total_iters=warmup_epochs), CosineAnnealingLR(optimizer, T_max=epochs)]


def held(optimizer):
    return [LinearLR(optimizer, 0.1, total_iters=1), ConstantLR(optimizer, 1.0)]


torch.manual_seed(0)
data = DataLoader(TensorDataset(torch.randn(16, 4), torch.randn(16, 1)), batch_size=8, shuffle=True)
train(data, epochs, left_over, [warmup_epochs])
train(data, epochs + warmup_epochs, all_epochs, [warmup_epochs])
train(data, epochs, held, [warmup_epochs])
