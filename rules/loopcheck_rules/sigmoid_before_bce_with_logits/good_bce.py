"""A sigmoid and BCELoss, which takes probabilities: less stable than logits, and not wrong."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(48, 5)
y = (x.sum(dim=1, keepdim=True) > 0).float()
model = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 1), nn.Sigmoid())
criterion = nn.BCELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
for epoch in range(3):
    for inputs, labels in zip(x.split(16), y.split(16), strict=True):
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)  # bug: unfused-probability-loss
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
