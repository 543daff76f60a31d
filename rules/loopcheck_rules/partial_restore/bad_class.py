"""A trainer saves its schedule and forgets it when it resumes, in a method of its own."""

import tempfile
from pathlib import Path

import torch
from torch import nn


class Trainer:
    def __init__(self, folder):
        self.path = Path(folder) / "last.pt"
        self.model = nn.Linear(3, 1)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-2, weight_decay=0.0)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, max_lr=1e-2, total_steps=16)
        self.step = 0

    def save(self):
        state = {"step": self.step, "net": self.model.state_dict(), "optim": self.optimizer.state_dict()}
        state["sched"] = self.scheduler.state_dict()
        torch.save(state, self.path)

    def resume(self):
        if not self.path.exists():
            return
        state = torch.load(self.path)
        self.model.load_state_dict(state["net"])  # bug
        self.optimizer.load_state_dict(state["optim"])
        self.step = state.get("step", 0)

    def fit(self, batches):
        self.resume()
        for inputs, targets in batches:
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(inputs), targets)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
            self.step += 1
        self.save()
        print(f"step {self.step}: {loss.item():.4f}")


torch.manual_seed(0)
x = torch.randn(40, 3)
data = list(zip(x.split(10), x.sum(dim=1, keepdim=True).split(10), strict=True))
with tempfile.TemporaryDirectory() as folder:
    Trainer(folder).fit(data)
    Trainer(folder).fit(data)
