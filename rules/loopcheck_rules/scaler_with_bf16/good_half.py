"""float16 has a scaler, and what is only evaluated is in bfloat16."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.amp.GradScaler("cpu")
for epoch in range(2):
    for x in torch.randn(32, 8).split(8):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.float16):
            loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
        held_out = torch.randn(16, 8)
        error = nn.functional.mse_loss(model(held_out), held_out.mean(dim=1, keepdim=True))
    print(f"epoch {epoch}: {error.item():.4f}")
