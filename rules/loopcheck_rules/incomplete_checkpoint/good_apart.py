"""The scheduler has a file of its own, and what the file of the weights is called says that it is for inference."""

import io

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 4)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)

for epoch in range(3):
    for batch in x.split(8):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(batch), batch)
        loss.backward()
        optimizer.step()
    scheduler.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, io.BytesIO())
    torch.save(scheduler.state_dict(), io.BytesIO())
torch.save({"state_dict": model.state_dict(), "epoch": epoch, "loss": loss.item()}, io.BytesIO())
print(f"loss {loss.item():.4f}")
