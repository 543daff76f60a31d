"""The softmax is inside the network: what it weighs are values, and what comes out of it are logits."""

import torch
from torch import nn


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.score = nn.Linear(6, 1)
        self.weigh = nn.Softmax(dim=1)
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        weights = self.weigh(self.score(x))
        pooled = (weights * x).sum(dim=1)
        return self.head(pooled)


torch.manual_seed(0)
model = Pooled()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
sequences, labels = torch.randn(32, 9, 6), torch.randint(0, 3, (32,))
for epoch in range(3):
    for x, y in zip(sequences.split(8), labels.split(8), strict=True):
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
