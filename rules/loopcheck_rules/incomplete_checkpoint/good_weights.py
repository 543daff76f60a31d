"""What is saved are weights, and how good they were: for use, and not to be gone on from."""

import io

import torch
from torch import nn

torch.manual_seed(0)
x, labels = torch.randn(60, 4), torch.randint(0, 3, (60,))
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3)
best = 0.0

for epoch in range(3):
    for inputs, targets in zip(x[:40].split(10), labels[:40].split(10), strict=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), targets).backward()
        optimizer.step()
    scheduler.step()
    with torch.no_grad():
        accuracy = (model(x[40:]).argmax(dim=1) == labels[40:]).float().mean().item()
    if accuracy >= best:
        best = accuracy
        torch.save({"weights": model.state_dict(), "epoch": epoch, "accuracy": accuracy}, io.BytesIO())
print(f"best {best:.2f}")
