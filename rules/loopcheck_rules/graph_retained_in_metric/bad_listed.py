"""A trainer lists the losses of all steps, for a curve that is drawn at the end."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr=0.05):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.losses = []

    def step(self, inputs, targets):
        self.optimizer.zero_grad()
        loss = nn.functional.l1_loss(self.model(inputs), targets)
        loss.backward()
        self.optimizer.step()
        self.losses.append(loss)  # bug
        return loss.item()

    def fit(self, batches, epochs):
        for epoch in range(epochs):
            for inputs, targets in batches:
                last = self.step(inputs, targets)
            print(f"epoch {epoch}: {last:.4f}")
        return torch.stack(self.losses).mean().item()


torch.manual_seed(0)
x = torch.randn(40, 4)
y = x.sum(dim=1, keepdim=True)
trainer = Trainer(nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1)))
print(f"mean {trainer.fit(list(zip(x.split(8), y.split(8), strict=True)), epochs=2):.4f}")
