"""The trainer works out how many updates there will be, and steps the schedule at the end of each pass through its loop."""

import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    num_epochs: int = 2
    gradient_accumulation_steps: int = 4


class Trainer:
    def __init__(self, model, train_dataloader, config):
        self.model = model
        self.train_dataloader = train_dataloader
        self.config = config
        updates_an_epoch = math.ceil(len(train_dataloader) / config.gradient_accumulation_steps)
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.0)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(
            self.optimizer, T_max=config.num_epochs * updates_an_epoch
        )

    def train(self):
        k = self.config.gradient_accumulation_steps
        for epoch in range(self.config.num_epochs):
            self.optimizer.zero_grad()
            for i, (x, y) in enumerate(self.train_dataloader):
                loss = nn.functional.mse_loss(self.model(x), y) / k
                loss.backward()
                if (i + 1) % k == 0 or i + 1 == len(self.train_dataloader):
                    self.optimizer.step()
                    self.optimizer.zero_grad()
                self.scheduler.step()  # bug
            print(f"epoch {epoch}: {loss.item():.4f} lr {self.scheduler.get_last_lr()[0]:.5f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randn(64, 1))
    Trainer(nn.Linear(8, 1), DataLoader(data, batch_size=4, shuffle=True), Config()).train()
