"""Each batch goes backward under several widths of the network, and is one step: as many steps as batches, and as the schedule."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs = 2

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=8, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
max_iter = epochs * len(loader)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_lambda=lambda it: (1 - it / max_iter) ** 0.9)


def widths():
    found = []
    for wanted in (4, 8):
        found.append((torch.arange(8) < wanted).float())
    return found


batches = iter(loader)
for it in range(max_iter):
    try:
        x, y = next(batches)
    except StopIteration:
        batches = iter(loader)
        x, y = next(batches)
    optimizer.zero_grad()
    for mask in widths():
        loss = nn.functional.mse_loss(model(x * mask), y) / 2
        loss.backward()
    optimizer.step()
    scheduler.step()
print(f"loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.4f}")
