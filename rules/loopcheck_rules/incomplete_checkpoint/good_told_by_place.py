"""The schedule is told by the place of the argument after which epoch it goes on."""

import io

import torch
from torch import nn


def train(batches, first_epoch):
    model = nn.Linear(4, 4)
    optimizer = torch.optim.SGD([{"params": model.parameters(), "initial_lr": 0.1}], lr=0.1, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.9, first_epoch - 1)
    for epoch in range(first_epoch, 3):
        for batch in batches:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch)
            loss.backward()
            optimizer.step()
        scheduler.step()
        torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, io.BytesIO())
    print(f"loss {loss.item():.4f}")


torch.manual_seed(0)
train(torch.randn(32, 4).split(8), first_epoch=1)
