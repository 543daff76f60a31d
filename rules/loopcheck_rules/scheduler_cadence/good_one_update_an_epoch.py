"""All data at once: an epoch is one update, and the schedule counts them."""

import torch
from torch import nn


def fit(model, x, y, max_epochs, decay_epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, decay_epochs, gamma=0.1)
    for i in range(max_epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        if i % 10 == 0:
            print(f"epoch {i}: {loss.item():.3f}")


torch.manual_seed(0)
fit(nn.Linear(4, 1), torch.randn(64, 4), torch.randn(64, 1), max_epochs=30, decay_epochs=20)
