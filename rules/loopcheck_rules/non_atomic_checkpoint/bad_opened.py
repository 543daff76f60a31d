"""The best model is written through a file that was opened for it, and read back when training is over."""

import os
import tempfile

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 4)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
best = None

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.pt")
    for _epoch in range(4):
        for batch in x.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
        if best is None or loss.item() < best:
            best = loss.item()
            with open(path, "wb") as file:
                torch.save(model, file)  # bug
    with open(path, "rb") as file:
        model = torch.load(file, weights_only=False)
print(f"best loss {best:.4f}")
