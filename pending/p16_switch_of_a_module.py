"""`USE_FP16 = False` is a switch that people edit: both sides of it are programs, also the one that does not run today."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USE_FP16 = False
MAX_NORM = 1.0

torch.manual_seed(0)
x = torch.randn(48, 4)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=12, shuffle=True)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(a), b)
        if USE_FP16:
            scaler.scale(loss).backward()
            nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)  # bug: clip-scaled-gradients
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
            optimizer.step()
    print(epoch, loss.item())
