"""Fits a polynomial; the gradients are limited before there are any."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.linspace(-2, 2, 120).unsqueeze(1)
y = 10 * (x**3 - 2 * x)
loader = DataLoader(TensorDataset(x, y), batch_size=40, shuffle=True)

model = nn.Sequential(nn.Linear(1, 20), nn.SiLU(), nn.Linear(20, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.002)

for epoch in range(4):
    for inputs, targets in loader:
        prediction = model(inputs.to(device))
        loss = nn.functional.mse_loss(prediction, targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        optimizer.step()
    print(f"{epoch}: {loss.item():.2f}")
