"""Functions that give factors: a ratio of two rates, a warm-up of the rate, and a factor that happens to be what the rate is."""

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

torch.manual_seed(0)
base_lr, last_lr, epochs = 0.1, 0.01, 4


def linear(epoch):
    rate = base_lr + (last_lr - base_lr) * epoch / epochs
    return rate / base_lr


def halved(epoch):
    return 0.1 if epoch >= 2 else 0.2


for function in (linear, halved, lambda epoch: max(last_lr / base_lr, 0.5**epoch), lambda epoch: 0.1 * 0.9**epoch):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=base_lr)
    scheduler = LambdaLR(optimizer, function)
    for _ in range(epochs):
        for x in torch.randn(16, 4).split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
        scheduler.step()
    print(f"loss {loss.item():.4f}, rate {scheduler.get_last_lr()[0]:.4f}")
