"""Schedules that are told where they are: a function of the step before the update, and a `step(epoch + 1)` after the epoch."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def cosine_schedule(optimizer, base_lr, warmup, total):
    """A function of the step that writes the rate of that step."""

    def adjust(step):
        if step < warmup:
            lr = base_lr * (step + 1) / warmup
        else:
            lr = 0.5 * base_lr * (1 + math.cos(math.pi * (step - warmup) / max(1, total - warmup)))
        for group in optimizer.param_groups:
            group["lr"] = lr * group.get("lr_scale", 1.0)
        return lr

    return adjust


class EpochDecay:
    """`step(epoch)` sets what holds in that epoch: called after epoch n with n + 1."""

    def __init__(self, optimizer, rate):
        self.optimizer, self.rate = optimizer, rate
        self.initial = [group["weight_decay"] for group in optimizer.param_groups]

    def step(self, epoch, metric=None):
        for value, group in zip(self.initial, self.optimizer.param_groups):
            group["weight_decay"] = value * self.rate**epoch


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(80, 6)
    y = (x[:, 0] > x[:, 1]).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 24), nn.GELU(), nn.Linear(24, 2)).to(device)
    matrices = [p for p in model.parameters() if p.ndim > 1]
    vectors = [p for p in model.parameters() if p.ndim < 2]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.05}, {"params": vectors, "weight_decay": 0.0}], lr=1e-3
    )
    epochs = 3
    lr_schedule = cosine_schedule(optimizer, 5e-3, warmup=3, total=epochs * len(loader))
    lr_scheduler = EpochDecay(optimizer, rate=0.9)
    global_step = 0
    for epoch in range(epochs):
        for inputs, labels in loader:
            lr = lr_schedule(global_step)
            loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            global_step += 1
        lr_scheduler.step(epoch + 1)
        print(f"epoch {epoch}: loss {loss.item():.4f} lr {lr:.2e}")


if __name__ == "__main__":
    main()
