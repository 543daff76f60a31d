"""The schedule is moved on at the top of an epoch, from the second on: the first rates are set by hand, and used."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts, StepLR


def warm_up(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = CosineAnnealingWarmRestarts(optimizer, T_0=1, T_mult=2)
    for epoch in range(epochs):
        if epoch <= 0:
            set_rate(optimizer, 0.01)
        elif epoch == 1:
            set_rate(optimizer, 0.1)
        else:
            scheduler.step()
        train(model, loader, optimizer)


def decay(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=2, gamma=0.5)
    for epoch in range(1, epochs + 1):
        if epoch > 1:
            scheduler.step()
        train(model, loader, optimizer)


def fine_tune(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.5)
    for epoch in range(epochs):
        if epoch:
            scheduler.step()
        train(model, loader, optimizer)


def set_rate(optimizer, rate):
    for group in optimizer.param_groups:
        group["lr"] = rate


def train(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


torch.manual_seed(0)
model = nn.Linear(4, 1)
loader = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(3)]
warm_up(model, loader, epochs=4)
decay(model, loader, epochs=4)
fine_tune(model, loader, epochs=4)
