"""The network computes its loss itself, of what it hands back: probabilities, a name and a squeeze away from the sigmoid."""

import torch
import torch.nn.functional as F
from torch import nn


class Tagger(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x, tags=None):
        scores = torch.sigmoid(self.body(x))
        scores = scores.squeeze(1)
        if tags is None:
            return scores
        loss = F.binary_cross_entropy_with_logits(scores, tags)  # bug
        return scores, loss


torch.manual_seed(0)
model = Tagger(6)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
x, y = torch.randn(48, 6), torch.randint(0, 2, (48,)).float()
for epoch in range(3):
    for inputs, tags in zip(x.split(12), y.split(12), strict=True):
        scores, loss = model(inputs, tags)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
