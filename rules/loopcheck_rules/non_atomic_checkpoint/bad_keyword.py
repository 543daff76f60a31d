"""A trainer keeps its latest state in one file, whenever so many steps have been taken."""

import os
import tempfile

import torch
from torch import nn


class Trainer:
    def __init__(self, model, folder):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        self.latest = os.path.join(folder, "latest.pt")

    def save(self, step):
        state = {"net": self.model.state_dict(), "optim": self.optimizer.state_dict(), "step": step}
        torch.save(obj=state, f=self.latest)  # bug

    def fit(self, steps, every):
        for step in range(1, steps + 1):
            x = torch.randn(16, 8)
            loss = nn.functional.mse_loss(self.model(x), x.mean(dim=1, keepdim=True))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % every == 0:
                self.save(step)
        return loss.item()


torch.manual_seed(0)
with tempfile.TemporaryDirectory() as folder:
    print(f"loss {Trainer(nn.Linear(8, 1), folder).fit(steps=12, every=4):.4f}")
