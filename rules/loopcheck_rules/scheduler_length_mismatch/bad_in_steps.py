"""A trainer that steps the schedule with every batch, and counts the warm-up's steps twice."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, train_loader, epochs):
        self.model, self.train_loader, self.epochs = model, train_loader, epochs
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
        parts = [
            LinearLR(self.optimizer, start_factor=0.1, total_iters=3),
            CosineAnnealingLR(self.optimizer, T_max=self.epochs * len(self.train_loader)),
        ]
        self.scheduler = SequentialLR(self.optimizer, parts, milestones=[3])  # bug

    def fit(self):
        for _epoch in range(self.epochs):
            for x, y in self.train_loader:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                self.scheduler.step()
        print(f"last rate {self.scheduler.get_last_lr()[0]:.5f}")


torch.manual_seed(0)
data = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=8, shuffle=True)
Trainer(nn.Linear(4, 1), data, epochs=4).fit()
