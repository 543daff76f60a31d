"""What is written under a name of its own is put in place of the last one when it is whole: by `os.replace`, and by a path's method."""

import os
import tempfile
from pathlib import Path

import torch
from torch import nn


def save(state, path):
    beside = f"{path}.new"
    torch.save(state, beside)
    os.replace(beside, path)


def save_by_path(state, path):
    written = path.with_name("writing.tmp")
    torch.save(state, written)
    written.replace(path)


def save_opened(state, path):
    beside = os.path.join(os.path.dirname(path), "whole.pt")
    with open(beside, "wb") as file:
        torch.save(state, file)
    os.replace(beside, path)


torch.manual_seed(0)
x = torch.randn(32, 4)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
with tempfile.TemporaryDirectory() as folder:
    for epoch in range(3):
        for batch in x.split(8):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(batch), batch.sum(dim=1, keepdim=True)).backward()
            optimizer.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        save(state, Path(folder, "last.pt"))
        save_by_path(state, Path(folder, "again.pt"))
        save_opened(state, os.path.join(folder, "opened.pt"))
    print(sorted(each.name for each in Path(folder).iterdir()))
