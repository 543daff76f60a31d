"""A trainer that goes backward through a penalty first, by itself, and through the loss as it should."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def regularize(self, x):
        penalty = 0.01 * self.model(x + 0.1 * torch.randn_like(x)).square().mean()
        penalty.backward()  # bug

    def step(self, x, y):
        self.optimizer.zero_grad()
        self.regularize(x)
        loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
    trainer = Trainer(nn.Linear(8, 1))
    for epoch in range(2):
        for x, y in loader:
            loss = trainer.step(x, y)
        print(f"epoch {epoch}: {loss:.4f}")
