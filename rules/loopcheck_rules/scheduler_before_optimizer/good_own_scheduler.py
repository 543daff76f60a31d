"""Schedulers that are not torch's, and are called before the step by their contract."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class WarmupCosine:
    """Sets the rate of the update that comes next and returns it."""

    def __init__(self, optimizer, peak, warmup, total):
        self.optimizer, self.peak, self.warmup, self.total = optimizer, peak, warmup, total
        self.count = 0

    def step(self):
        self.count += 1
        if self.count <= self.warmup:
            lr = self.peak * self.count / self.warmup
        else:
            done = (self.count - self.warmup) / (self.total - self.warmup)
            lr = self.peak * 0.5 * (1 + math.cos(math.pi * done))
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        return lr


class NoiseSchedule:
    """How much noise the inputs get in an epoch."""

    def __init__(self, start=0.3, factor=0.5):
        self.sigma, self.factor = start, factor

    def step(self, epoch):
        self.sigma *= self.factor if epoch else 1.0


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 5)
    loader = DataLoader(TensorDataset(x), batch_size=12, shuffle=True)
    denoiser = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 5))
    optimizer = torch.optim.SGD(denoiser.parameters(), lr=0.0)
    scheduler = WarmupCosine(optimizer, peak=0.2, warmup=3, total=3 * len(loader))
    noise_scheduler = NoiseSchedule()
    for epoch in range(3):
        noise_scheduler.step(epoch)
        for (clean,) in loader:
            lr = scheduler.step()
            loss = nn.functional.mse_loss(denoiser(clean + noise_scheduler.sigma * torch.randn_like(clean)), clean)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f} lr {lr:.4f}")


if __name__ == "__main__":
    main()
