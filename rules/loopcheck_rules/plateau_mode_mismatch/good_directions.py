"""Metrics that are turned round, that are told the direction they have, or whose names do not tell."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ReduceLROnPlateau

torch.manual_seed(0)
x = torch.randn(64, 4)
y = (x.sum(1) > 0).long()
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
falling, rising = ReduceLROnPlateau(optimizer, "min"), ReduceLROnPlateau(optimizer, mode="max")

for epoch in range(3):
    optimizer.zero_grad()
    logits = model(x)
    loss = nn.functional.cross_entropy(logits, y)
    loss.backward()
    optimizer.step()
    accuracy = (logits.argmax(1) == y).float().mean().item()
    neg_loss, score = -loss.item(), accuracy
    falling.step(1 - accuracy)
    falling.step(-accuracy)
    falling.step(loss.item())
    falling.step(score)
    rising.step(neg_loss)
    rising.step(accuracy)
    print(f"epoch {epoch}: accuracy {accuracy:.3f}")
