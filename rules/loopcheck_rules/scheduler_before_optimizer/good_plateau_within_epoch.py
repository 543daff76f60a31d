"""Validation comes every few updates, in the middle of the epoch, and the plateau scheduler with it."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


class Learner:
    def __init__(self, model, train_loader, dev_loader, device, validate_every=3):
        self.model = model.to(device)
        self.train_loader, self.dev_loader = train_loader, dev_loader
        self.device = device
        self.validate_every = validate_every
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)
        self.lr_scheduler = ReduceLROnPlateau(self.optimizer, mode="max", factor=0.5, patience=1)
        self.global_step = 0

    def validate(self):
        self.model.eval()
        hits = 0
        with torch.no_grad():
            for x, y in self.dev_loader:
                hits += (self.model(x.to(self.device)).argmax(1) == y.to(self.device)).sum().item()
        self.model.train()
        return hits / len(self.dev_loader.dataset)

    def train(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            for x, y in self.train_loader:
                if self.global_step and self.global_step % self.validate_every == 0:
                    accuracy = self.validate()
                    self.lr_scheduler.step(accuracy)
                    print(f"step {self.global_step}: {accuracy:.3f} lr {self.optimizer.param_groups[0]['lr']:.4f}")
                loss = nn.functional.cross_entropy(self.model(x.to(self.device)), y.to(self.device))
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.global_step += 1


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(112, 6)
    y = x[:, :3].argmax(1)
    learner = Learner(
        nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Dropout(0.1), nn.Linear(24, 3)),
        DataLoader(TensorDataset(x[:80], y[:80]), batch_size=16, shuffle=True),
        DataLoader(TensorDataset(x[80:], y[80:]), batch_size=16),
        "cuda" if torch.cuda.is_available() else "cpu",
    )
    learner.train(epochs=3)
