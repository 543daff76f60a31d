"""The step of a trainer, with the context kept in an attribute and everything under it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)
        self.autocast = torch.amp.autocast("cpu", dtype=torch.half)

    def compute_loss(self, x, y):
        with self.autocast:
            return nn.functional.cross_entropy(self.model(x), y)

    def step(self, x, y):
        loss = self.compute_loss(x, y)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # bug
        self.optimizer.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,))), batch_size=16, shuffle=True)
    trainer = Trainer(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)))
    for epoch in range(2):
        for x, y in loader:
            loss = trainer.step(x, y)
        print(f"epoch {epoch}: {loss:.4f}")
