"""A trainer that looks for the highest value of a loss."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        self.scheduler = ReduceLROnPlateau(self.optimizer, "max", patience=1)

    def train_epoch(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return {"loss": loss.item()}

    def fit(self, x, y, epochs):
        for epoch in range(epochs):
            metrics = self.train_epoch(x, y)
            self.scheduler.step(metrics["loss"])  # bug
            print(f"epoch {epoch}: {metrics}")


torch.manual_seed(0)
Trainer(nn.Linear(4, 1)).fit(torch.randn(32, 4), torch.randn(32, 1), epochs=4)
