"""A training step in a function of its own, which is handed the context."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.0)


def train_step(x, y, autocast):
    with autocast:
        loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()  # bug
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    half = torch.autocast("cpu", dtype=torch.float16)
    for step in range(6):
        x = torch.randn(16, 8)
        print(f"step {step}: {train_step(x, (x[:, 0] > 0.0).long(), half):.4f}")
