"""The loss is multiplied by a constant, and the gradients are divided by it: a loss scale of one's own."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SCALE = 1024.0

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for x, y in loader:
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.float16):
        loss = nn.functional.mse_loss(model(x), y)
    (loss * SCALE).backward()
    for parameter in model.parameters():
        parameter.grad.div_(SCALE)
    optimizer.step()
print(f"{loss.item():.4f}")
