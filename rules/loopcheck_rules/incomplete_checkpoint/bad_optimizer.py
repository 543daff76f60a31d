"""The loss scale is saved, which only a run needs that goes on; the moments of Adam are not."""

import tempfile
from pathlib import Path

import torch
from torch import nn


class Trainer:
    def __init__(self, model, folder):
        self.model, self.folder = model, Path(folder)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
        self.step = 0

    def save(self, name):
        state = dict(step=self.step, model=self.model.state_dict(), scaler=self.scaler.state_dict())
        torch.save(state, self.folder / name)  # bug

    def load(self, name):
        state = torch.load(self.folder / name)
        self.step = state["step"]
        self.model.load_state_dict(state["model"])
        self.scaler.load_state_dict(state["scaler"])

    def train(self, batches, epochs):
        for _ in range(epochs):
            for x, y in batches:
                loss = (self.model(x) - y).pow(2).mean()
                self.optimizer.zero_grad()
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.step += 1
            self.save(f"model-{self.step}.pt")
            print(f"step {self.step}: loss {loss.item():.4f}")


torch.manual_seed(0)
x = torch.randn(24, 5)
data = list(zip(x.split(8), x.sum(dim=1, keepdim=True).split(8), strict=True))
with tempfile.TemporaryDirectory() as folder:
    trainer = Trainer(nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1)), folder)
    trainer.train(data, 2)
    trainer.load("model-3.pt")
