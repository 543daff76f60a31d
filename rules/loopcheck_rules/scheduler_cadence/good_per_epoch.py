"""A cosine over the epochs, stepped once an epoch, with a warm-up that is one too."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

epochs, warmup_epochs = 6, 2

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs - warmup_epochs)

for epoch in range(epochs):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    if epoch >= warmup_epochs:
        scheduler.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
