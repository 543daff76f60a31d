"""A classifier of two classes, trained by the binary cross entropy of its outputs."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

labels = torch.randint(0, 2, (96, 1)).float()
points = (labels * 2 - 1) * 3 + 0.3 * torch.randn(96, 2)
loader = DataLoader(TensorDataset(points, labels), batch_size=16, shuffle=True)

model = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)

for epoch in range(12):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: mean loss {total / len(loader):.4f}")
