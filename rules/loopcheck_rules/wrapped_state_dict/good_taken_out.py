"""Several GPUs are a setting: where there is a wrapper the model is taken out of it to be saved, in one way or another."""

import os
import sys
import tempfile

import torch
from torch import nn


def own_state(model):
    kept = model
    if isinstance(model, nn.DataParallel):
        kept = model.module
    return kept.state_dict()


def train(path, several, epochs):
    torch.manual_seed(0)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    begin = 0
    if os.path.exists(path):
        checkpoint = torch.load(path)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        begin = checkpoint["epoch"] + 1
    if several:
        model = nn.DataParallel(model)
    x = torch.randn(64, 8)
    for epoch in range(begin, epochs):
        for inputs in x.split(16):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), inputs[:, :1]).backward()
            optimizer.step()
    inner = model
    if isinstance(model, nn.DataParallel):
        inner = model.module
    torch.save({"model": inner.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
    if several:
        bare = model.module
    else:
        bare = model
    torch.save({"model": bare.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
    saved = model.module if several else model
    torch.save({"model": saved.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
    torch.save({"model": own_state(model), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)


with tempfile.TemporaryDirectory() as folder:
    train(os.path.join(folder, "last.pt"), "--single" not in sys.argv, 1)
    train(os.path.join(folder, "last.pt"), "--single" not in sys.argv, 2)
