"""One schedule alone is as long as the run; and one of two parts counts batches where the loop counts epochs."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from torch.utils.data import DataLoader, TensorDataset

epochs = 3
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(32, 4), torch.randn(32, 1)), batch_size=8, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
total = epochs * len(loader)
warmup = total // 4
rising = LinearLR(optimizer, start_factor=0.1, total_iters=warmup)
scheduler = SequentialLR(optimizer, [rising, CosineAnnealingLR(optimizer, T_max=total - warmup)], milestones=[warmup])
for _epoch in range(epochs):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()

tuned = torch.optim.SGD(model.parameters(), lr=0.01)
cosine = CosineAnnealingLR(tuned, T_max=epochs)
for _epoch in range(epochs):
    for x, y in loader:
        tuned.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        tuned.step()
    cosine.step()
print(f"loss {loss.item():.3f}, last rates {scheduler.get_last_lr()[0]:.4f} and {cosine.get_last_lr()[0]:.4f}")
