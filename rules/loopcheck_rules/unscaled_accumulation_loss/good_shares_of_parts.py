"""Losses of parts that are divided where nobody sees it at a glance: each part, their sum, and one whose outputs are cooled."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW = 4
torch.manual_seed(0)
data = torch.randn(64, 8)
targets = data[:, :3].argmax(dim=1)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
share = 1 / WINDOW
for number, (x, y) in enumerate(DataLoader(TensorDataset(data, targets), batch_size=4, shuffle=True)):
    outputs = model(x)
    if number < 4:
        loss = criterion(outputs / 2.0, y) * share + outputs.square().mean() * share
    elif number < 8:
        loss = (criterion(outputs, y) + 0.1 * outputs.abs().mean()) / WINDOW
    else:
        loss = criterion(outputs / 2.0, y) / WINDOW
    loss.backward()
    if (number + 1) % WINDOW == 0:
        optimizer.step()
        optimizer.zero_grad()
