"""Gradients add up on purpose, k micro-batches at a time, and are cleared after each step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accumulation_steps = 4

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
ds = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
dl = DataLoader(ds, batch_size=4, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for i, (x, y) in enumerate(dl):
        loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
        loss = loss / accumulation_steps
        loss.backward()
        if (i + 1) % accumulation_steps == 0 or i + 1 == len(dl):
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, loss.item() * accumulation_steps)
