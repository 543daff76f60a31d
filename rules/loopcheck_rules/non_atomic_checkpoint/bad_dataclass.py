"""One file that is written over with a dataclass's fields each time, by a name that the configuration says."""

import os
import tempfile
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import nn


@dataclass
class Options:
    epochs: int
    path: str


@dataclass
class Snapshot:
    model: dict[str, Any]
    optimizer: dict[str, Any]
    epoch: int


def train(config):
    options = Options(**config["training"])
    torch.manual_seed(0)
    x = torch.randn(24, 5)
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    first = 0
    if os.path.exists(options.path):
        snapshot = Snapshot(**torch.load(options.path))
        model.load_state_dict(snapshot.model)
        optimizer.load_state_dict(snapshot.optimizer)
        first = snapshot.epoch
    for epoch in range(first, options.epochs):
        for batch in x.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
        snapshot = Snapshot(model.state_dict(), optimizer.state_dict(), epoch + 1)
        torch.save(asdict(snapshot), options.path)  # bug
        print(f"epoch {epoch}: loss {loss.item():.4f}")


with tempfile.TemporaryDirectory() as folder:
    train({"training": {"epochs": 2, "path": os.path.join(folder, "snapshot.pt")}})
