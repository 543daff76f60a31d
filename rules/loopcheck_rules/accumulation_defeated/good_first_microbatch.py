"""Gradients are cleared before the first micro-batch of each window, by a test of its own."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
accumulate = 3

x = torch.randn(54, 6)
loader = DataLoader(TensorDataset(x, x.cumsum(1)), batch_size=6, shuffle=True)
model = nn.Linear(6, 6).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    for i, (inputs, targets) in enumerate(loader):
        if i % accumulate == 0:
            optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        (loss / accumulate).backward()
        if (i + 1) % accumulate == 0 or i + 1 == len(loader):
            optimizer.step()
    print(f"epoch {epoch}: {loss.item():.3f}")
