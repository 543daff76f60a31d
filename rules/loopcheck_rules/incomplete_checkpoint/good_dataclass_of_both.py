"""A snapshot is a dataclass, written as the dictionary of its fields, the optimizer among them."""

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn


@dataclass
class Snapshot:
    model_state: dict[str, Any]
    optimizer_state: dict[str, Any]
    finished_epoch: int


class Trainer:
    def __init__(self, model, folder):
        self.model, self.folder = model, Path(folder)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
        self.epochs_run = 0
        self.load()

    def load(self):
        files = sorted(self.folder.glob("epoch-*.pt"))
        if not files:
            return
        snapshot = Snapshot(**torch.load(files[-1]))
        self.model.load_state_dict(snapshot.model_state)
        self.optimizer.load_state_dict(snapshot.optimizer_state)
        self.epochs_run = snapshot.finished_epoch

    def save(self, epoch):
        snapshot = Snapshot(self.model.state_dict(), self.optimizer.state_dict(), epoch)
        torch.save(asdict(snapshot), self.folder / f"epoch-{epoch}.pt")

    def train(self, batches, epochs):
        for epoch in range(self.epochs_run, epochs):
            for x, y in batches:
                loss = nn.functional.mse_loss(self.model(x), y)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self.save(epoch + 1)
            print(f"epoch {epoch}: loss {loss.item():.4f}")


torch.manual_seed(0)
x = torch.randn(24, 5)
data = list(zip(x.split(8), x.sum(dim=1, keepdim=True).split(8), strict=True))
with tempfile.TemporaryDirectory() as folder:
    Trainer(nn.Linear(5, 1), folder).train(data, 2)
    Trainer(nn.Linear(5, 1), folder).train(data, 3)
