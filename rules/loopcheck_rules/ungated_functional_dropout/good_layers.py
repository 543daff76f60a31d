"""Dropout as a layer, which is switched with the network, and a function of one's own that is called `dropout`."""

import torch
from torch import nn
from torch.nn import functional as F


def dropout(x, mask):
    """Words that are left out on purpose, the same in every run."""
    return x * mask


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 16)
        self.dropout = nn.Dropout(0.5)
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        mask = torch.ones(x.shape[-1])
        mask[-1] = 0
        return self.head(self.dropout(F.relu(self.body(dropout(x, mask)))))


torch.manual_seed(0)
x, y = torch.randn(40, 6), torch.randint(0, 2, (40,))
model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(2):
    model.train()
    for inputs, targets in zip(x.split(10), y.split(10), strict=True):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(f"epoch {epoch}: {F.cross_entropy(model(x), y).item():.4f}")
