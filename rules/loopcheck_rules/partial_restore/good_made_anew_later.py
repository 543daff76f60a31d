"""Training goes on with the optimizer that was saved; what comes after it has one of its own, which is saved from then on."""

import os
import sys
import tempfile

import torch
from torch import nn


def save(path, model, optimizer, epoch):
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def resume(path, model, optimizer):
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    if "optimizer" in checkpoint:
        optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"] + 1


def train_one_epoch(model, optimizer, x):
    for batch in x.split(16):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch), batch[:, :1])
        loss.backward()
        optimizer.step()
    return loss.item()


def main(path, epochs, rounds):
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    begin = resume(path, model, optimizer) if os.path.exists(path) else 0
    for epoch in range(begin, epochs):
        loss = train_one_epoch(model, optimizer, x)
        save(path, model, optimizer, epoch)
    for _ in range(rounds):
        fresh_optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
        loss = train_one_epoch(model, fresh_optimizer, x)
        save(path + ".tuned", model, fresh_optimizer, epochs)
    return loss


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for epochs in (1, 2):
            print(f"{main(os.path.join(folder, 'last.pt'), epochs, len(sys.argv)):.4f}")
