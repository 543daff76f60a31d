"""A trainer whose optimizer fills its gradients with zeros after each step."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    def step(self, x):
        loss = nn.functional.mse_loss(self.model(x), x.sum(dim=1, keepdim=True))
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=False)  # bug
        return loss.item()


torch.manual_seed(0)
trainer = Trainer(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)))
for x in torch.randn(32, 4).split(8):
    loss = trainer.step(x)
print(f"loss {loss:.4f}")
