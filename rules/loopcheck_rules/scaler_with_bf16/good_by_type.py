"""The scaler is enabled where the type is float16, and here it is not; what float16 computes is scaled."""

import torch
from torch import nn


def train(dtype):
    torch.manual_seed(0)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler("cpu", enabled=dtype == torch.float16)
    for x in torch.randn(32, 8).split(8):
        optimizer.zero_grad()
        with torch.autocast("cpu", dtype=dtype):
            loss = nn.functional.mse_loss(model(x), x.mean(dim=1, keepdim=True))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    return loss.item()


print(f"losses {train(torch.bfloat16):.4f} and {train(torch.float16):.4f}")
