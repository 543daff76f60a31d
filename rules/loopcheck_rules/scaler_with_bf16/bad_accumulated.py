"""Four micro-batches for each step, in bfloat16, with a scaler around them."""

import torch
from torch import nn

ACCUMULATE = 4

torch.manual_seed(0)
x = torch.randn(64, 8)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu")
for i, batch in enumerate(x.split(4)):
    with torch.autocast("cpu"):
        prediction = model(batch)
        loss = nn.functional.mse_loss(prediction, batch.mean(dim=1, keepdim=True)) / ACCUMULATE
    scaler.scale(loss).backward()  # bug
    if (i + 1) % ACCUMULATE == 0:
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
print(f"loss {loss.item():.4f}")
