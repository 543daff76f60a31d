"""The trainer makes probabilities for its accuracy, and hands the same tensor to the loss."""

import torch
from torch import nn
from torch.nn import functional as F


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def step(self, x, y):
        self.optimizer.zero_grad()
        scores = torch.sigmoid(self.model(x))
        right = (scores.argmax(dim=1) == y).float().mean()
        loss = F.cross_entropy(scores, y)  # bug
        loss.backward()
        self.optimizer.step()
        return loss.item(), right.item()


torch.manual_seed(0)
trainer = Trainer(nn.Sequential(nn.Linear(5, 12), nn.Tanh(), nn.Linear(12, 3)), lr=0.01)
x, y = torch.randn(48, 5), torch.randint(0, 3, (48,))
for epoch in range(4):
    for inputs, labels in zip(x.split(12), y.split(12), strict=True):
        loss, accuracy = trainer.step(inputs, labels)
    print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.2f}")
