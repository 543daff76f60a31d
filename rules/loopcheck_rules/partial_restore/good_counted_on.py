"""The function of the schedule adds the epoch that the checkpoint says: made anew, the schedule goes on where it was."""

import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 6

torch.manual_seed(0)
x = torch.randn(64, 6)
y = x.abs().sum(dim=1, keepdim=True)


def train(path, until):
    loader = DataLoader(TensorDataset(x, y), batch_size=16)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    start_epoch = 0
    if path.exists():
        checkpoint = torch.load(path)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start_epoch = checkpoint["epoch"] + 1

    def decay(epoch):
        return (1 - (epoch + start_epoch) / EPOCHS) ** 0.9

    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=[decay])
    for epoch in range(start_epoch, until):
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
        scheduler.step()
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "epoch": epoch,
    }
    torch.save(state, path)


with tempfile.TemporaryDirectory() as folder:
    train(Path(folder, "last.pt"), until=EPOCHS // 2)
    train(Path(folder, "last.pt"), until=EPOCHS)
