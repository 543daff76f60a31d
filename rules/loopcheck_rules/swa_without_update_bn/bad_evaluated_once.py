"""The average is put in eval mode when it is made, and is in that for good: `update_parameters` leaves the mode alone."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 1))
ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.9))
ema.eval()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
held_out = torch.randn(32, 6)
for epoch in range(3):
    for x in torch.randn(64, 6).split(16):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True)).backward()
        optimizer.step()
        ema.update_parameters(model)
    with torch.no_grad():
        error = nn.functional.mse_loss(ema(held_out), held_out.sum(dim=1, keepdim=True))  # bug
    print(f"epoch {epoch}: error of the average {error.item():.4f}")
