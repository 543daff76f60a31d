"""Accumulation in mixed precision: the gradients are unscaled once, when the window is complete, and their norm is logged."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.randn(96, 8)
y = (x.norm(dim=1) > 2.7).long()
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler(device)

for epoch in range(2):
    for i, (inputs, targets) in enumerate(loader):
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(inputs.to(device)), targets.to(device))
        scaler.scale(loss / ACCUMULATE).backward()
        if (i + 1) % ACCUMULATE == 0:
            scaler.unscale_(optimizer)
            norm = torch.stack([p.grad.norm() for p in model.parameters()]).norm()
            print(f"micro-batch {i}: loss {loss.item():.4f}, gradient norm {norm.item():.4f}")
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
