"""A one-cycle schedule that is told the batches of an epoch, in a trainer that steps it once an epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, loader, epochs):
        self.model = model
        self.loader = loader
        self.epochs = epochs
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)
        self.scheduler = torch.optim.lr_scheduler.OneCycleLR(
            self.optimizer, max_lr=0.1, epochs=self.epochs, steps_per_epoch=len(self.loader)
        )

    def train_epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def fit(self):
        for epoch in range(self.epochs):
            loss = self.train_epoch()
            self.scheduler.step()  # bug
            print(f"epoch {epoch}: {loss:.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
    Trainer(nn.Linear(8, 1), DataLoader(data, batch_size=8, shuffle=True), epochs=4).fit()
