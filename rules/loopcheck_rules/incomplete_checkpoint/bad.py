"""Training that goes on from a checkpoint, by a schedule that knows how far it has come."""

import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 6

torch.manual_seed(0)
x = torch.randn(64, 6)
y = x.abs().sum(dim=1, keepdim=True)
start = nn.Linear(6, 1).state_dict()


def train(path, until):
    loader = DataLoader(TensorDataset(x, y), batch_size=16)
    model = nn.Linear(6, 1)
    model.load_state_dict(start)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=EPOCHS)
    first_epoch = 0
    if path.exists():
        checkpoint = torch.load(path)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        first_epoch = checkpoint["epoch"] + 1

    for epoch in range(first_epoch, until):
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
        scheduler.step()
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
    torch.save(state, path)  # bug
    print(f"epoch {epoch}: loss {loss.item():.4f}, next learning rate {optimizer.param_groups[0]['lr']:.4f}")
    return model


with tempfile.TemporaryDirectory() as folder:
    unbroken = train(Path(folder, "unbroken.pt"), until=EPOCHS)
    train(Path(folder, "broken.pt"), until=EPOCHS // 2)
    resumed = train(Path(folder, "broken.pt"), until=EPOCHS)
