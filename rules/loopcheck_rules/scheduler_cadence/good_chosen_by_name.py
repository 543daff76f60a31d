"""Two schedules to choose from, one by the batch and one by the epoch, each stepped where it should be."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(kind, epochs):
    torch.manual_seed(0)
    train_loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if kind == "onecycle":
        scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=epochs * len(train_loader))
    else:
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            if kind == "onecycle":
                scheduler.step()
        if kind != "onecycle":
            scheduler.step()
        print(f"{kind} {epoch}: loss {loss.item():.4f}")


train("onecycle", 3)
train("cosine", 3)
