"""The network computes in float16, and the optimizer has a copy of its weights in float32, which the network is given after each step."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 16)
y = x.sum(dim=1, keepdim=True) / 4

model = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1)).half()
masters = [p.detach().clone().float().requires_grad_() for p in model.parameters()]
optimizer = torch.optim.SGD(masters, lr=1e-4)
for step in range(5):
    model.zero_grad()
    loss = nn.functional.mse_loss(model(x.half()), y.half())
    loss.backward()
    for master, p in zip(masters, model.parameters(), strict=True):
        master.grad = p.grad.float()
    optimizer.step()
    with torch.no_grad():
        for master, p in zip(masters, model.parameters(), strict=True):
            p.copy_(master)
print(f"loss {loss.item():.4f}")
