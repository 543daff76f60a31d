"""After the warm-up the optimizer is made anew, once."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warmup_epochs = 1

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

for epoch in range(4):
    if epoch == warmup_epochs:
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
