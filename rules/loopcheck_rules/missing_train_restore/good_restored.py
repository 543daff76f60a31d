"""The mode is put back by the evaluation itself, by a context manager or by hand."""

import contextlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@contextlib.contextmanager
def eval_mode(module):
    training = module.training
    module.eval()
    try:
        yield
    finally:
        module.train(training)


class Task:
    def __init__(self):
        self.model = nn.Sequential(nn.Linear(4, 12), nn.Dropout(0.1), nn.ReLU(), nn.Linear(12, 1))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-2)

    @torch.no_grad()
    def sample(self):
        self.model.eval()
        example = self.model(torch.zeros(1, 4)).item()
        self.model.train()
        return example

    @torch.no_grad()
    def validate(self, loader):
        total = 0.0
        with eval_mode(self.model):
            for x, y in loader:
                total += nn.functional.l1_loss(self.model(x), y, reduction="sum").item()
        return total / len(loader.dataset)

    def fit(self, train_loader, val_loader):
        for epoch in range(3):
            for x, y in train_loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.model(x), y).backward()
                self.optimizer.step()
            print(f"epoch {epoch}: {self.validate(val_loader):.3f}, at zero {self.sample():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(50, 4)
    y = x.amax(dim=1, keepdim=True)
    Task().fit(
        DataLoader(TensorDataset(x[:40], y[:40]), batch_size=8, shuffle=True),
        DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10),
    )
