"""A window of one batch is no window: `% 1 == 0` is always true."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 5)
y = x.sum(dim=1, keepdim=True)
loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
model = nn.Linear(5, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

for epoch in range(2):
    for i, (a, b) in enumerate(loader):
        loss = nn.functional.mse_loss(model(a), b)
        loss.backward()
        if (i + 1) % 1 == 0:  # was 4 on the small card
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, loss.item())
