"""A warm-up that comes before a cosine, in a trainer; the function is a method."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, SequentialLR


class Trainer:
    warmup = 3

    def __init__(self, model, steps):
        self.model = model
        self.steps = steps
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        rising = LambdaLR(self.optimizer, lr_lambda=self.rise)  # bug
        falling = CosineAnnealingLR(self.optimizer, T_max=steps - self.warmup)
        self.scheduler = SequentialLR(self.optimizer, [rising, falling], milestones=[self.warmup])

    def rise(self, step):
        """From 0 to 1."""
        return step / 3

    def fit(self, x, y):
        for _ in range(self.steps):
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            self.scheduler.step()
        print(f"loss {loss.item():.3f}")


torch.manual_seed(0)
Trainer(nn.Linear(4, 1), steps=9).fit(torch.randn(32, 4), torch.randn(32, 1))
