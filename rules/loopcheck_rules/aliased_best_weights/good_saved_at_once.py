"""The best weights go to a file as soon as they are known to be the best, and are read from there at the end."""

import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(40, 4)
y = x.sum(dim=1, keepdim=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.3)

with tempfile.TemporaryDirectory() as folder:
    best, path = float("inf"), Path(folder) / "best.pt"
    for epoch in range(6):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x[:20]), y[:20]).backward()
        optimizer.step()
        with torch.no_grad():
            error = nn.functional.mse_loss(model(x[20:]), y[20:]).item()
        if error < best:
            best = error
            state = {"weights": model.state_dict(), "error": error}
            torch.save(state, path)  # bug: non-atomic-checkpoint
    model.load_state_dict(torch.load(path)["weights"])
print(f"best error {best:.4f}")
