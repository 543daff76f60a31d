"""A batch whose gradients are not finite is dropped as a whole: cleared, and not stepped."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.randn(64, 5)
x[3, 2] = float("inf")
loader = DataLoader(TensorDataset(x, torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(5, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
skipped = 0

for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.mse_loss(model(a.to(device)), b.to(device))
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        if not torch.isfinite(norm):
            optimizer.zero_grad()
            skipped += 1
            continue
        optimizer.step()
        optimizer.zero_grad()

print(f"{skipped} batches skipped, weights finite: {bool(torch.isfinite(model.weight).all())}")
