"""The schedule is told where it goes on from the number of the epoch; a warmup of the first epoch is over by then."""

import io

import torch
from torch import nn


def warmup(optimizer, steps):
    return torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / steps))


def train_one_epoch(model, optimizer, batches, epoch):
    lr_scheduler = warmup(optimizer, len(batches)) if epoch == 0 else None
    for batch in batches:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch), batch)
        loss.backward()
        optimizer.step()
        if lr_scheduler is not None:
            lr_scheduler.step()
    return loss.item()


def told(batches, first_epoch):
    model = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9**epoch)
    scheduler.last_epoch = first_epoch - 1
    for epoch in range(first_epoch, 3):
        for batch in batches:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(batch), batch).backward()
            optimizer.step()
        scheduler.step()
        torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, io.BytesIO())


def warmed_up(batches):
    model = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
    for epoch in range(3):
        print(f"epoch {epoch}: {train_one_epoch(model, optimizer, batches, epoch):.4f}")
        scheduler.step()
        states = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "lr_scheduler": scheduler.state_dict()}
        torch.save({**states, "epoch": epoch}, io.BytesIO())


torch.manual_seed(0)
data = torch.randn(32, 4).split(8)
told(data, first_epoch=0)
warmed_up(data)
