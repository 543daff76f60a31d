"""A trainer whose gradients are never cleared, and whose schedule stands still."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.0)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=2)

    def train_step(self, x: torch.Tensor, y: torch.Tensor) -> float:
        self.optimizer.zero_grad  # bug
        loss = nn.functional.cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, batches: list[tuple[torch.Tensor, torch.Tensor]], epochs: int) -> None:
        for epoch in range(epochs):
            losses = [self.train_step(x, y) for x, y in batches]
            self.scheduler.step  # bug
            print(f"epoch {epoch}: loss {sum(losses) / len(losses):.3f}")


torch.manual_seed(0)
data = [(torch.randn(8, 5), torch.randint(3, (8,))) for _ in range(4)]
Trainer(nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 3))).fit(data, epochs=3)
