"""A trainer steps its schedule after each epoch, whichever it is; here it is one that waits for a metric."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        self.lr_scheduler = ReduceLROnPlateau(self.optimizer, factor=0.5, patience=1)

    def run_epoch(self, x, y):
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, x, y, epochs):
        for epoch in range(epochs):
            loss = self.run_epoch(x, y)
            self.lr_scheduler.step()  # bug
            print(f"epoch {epoch}: loss {loss:.3f}")


torch.manual_seed(0)
Trainer(nn.Linear(4, 1)).fit(torch.randn(32, 4), torch.randn(32, 1), epochs=3)
