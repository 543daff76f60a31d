"""An optimizer with a rate of 1 leaves it to the function to say what the rate is; and one multiplies by itself."""

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR, MultiplicativeLR

torch.manual_seed(0)
lr = 0.05
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
scheduler = LambdaLR(optimizer, lambda epoch: lr * 0.9**epoch)
for epoch in range(6):
    if epoch == 3:
        optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        scheduler = MultiplicativeLR(optimizer, lambda epoch: 0.9)
    for x in torch.randn(16, 4).split(8):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
    scheduler.step()
print(f"loss {loss.item():.4f}")
