"""A warm-up that scales the rate beside a cosine: both are told the warm-up's length, and after that the cosine rises again."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, lr=0.05, warmup_steps=4, decay_steps=None):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.decay = self.warmup = None
        if decay_steps is not None:
            self.decay = CosineAnnealingLR(self.optimizer, T_max=warmup_steps)  # bug
        if warmup_steps is not None:
            self.warmup = LinearLR(self.optimizer, start_factor=0.1, total_iters=warmup_steps)

    def fit(self, loader, epochs):
        for _epoch in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.model(x), y).backward()
                self.optimizer.step()
                for schedule in (self.decay, self.warmup):
                    if schedule is not None:
                        schedule.step()
            print(f"rate {self.optimizer.param_groups[0]['lr']:.5f}")


torch.manual_seed(0)
data = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=8, shuffle=True)
Trainer(nn.Linear(4, 1), decay_steps=16).fit(data, epochs=3)
