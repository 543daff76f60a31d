"""The network makes probabilities only where it is told to, for use after training."""

import torch
from torch import nn
from torch.nn import functional as F


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def forward(self, x):
        logits = self.layer(x)
        scores = torch.sigmoid(logits)
        if self.training:
            scores = logits
        return scores


torch.manual_seed(0)
x = torch.randn(32, 4)
y = (x.mean(dim=1, keepdim=True) > 0).float()
scorer = Scorer()
optimizer = torch.optim.SGD(scorer.parameters(), lr=0.1)
for epoch in range(3):
    for inputs, labels in zip(x.split(8), y.split(8), strict=True):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(scorer(inputs), labels)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
