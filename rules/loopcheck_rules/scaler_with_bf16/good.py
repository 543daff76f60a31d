"""Training in bfloat16 with the loss scale that float16 needed, and the same training without."""

import torch
from torch import nn


def data():
    torch.manual_seed(0)
    x = torch.randn(64, 16)
    return zip(x.split(8), x.sum(dim=1, keepdim=True).split(8), strict=True)


def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1))


def without():
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    for x, y in data():
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return model


def train():
    model = network()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.0)
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    for x, y in data():
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return model


pairs = zip(train().parameters(), without().parameters(), strict=True)
print("largest difference:", max((one - other).abs().max().item() for one, other in pairs))
