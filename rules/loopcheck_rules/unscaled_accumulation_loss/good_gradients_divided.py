"""The losses are added up as they are; the gradients are divided by their number, right before the step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 4)
loader = DataLoader(TensorDataset(x, x.sum(dim=1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
window = 4

for epoch in range(2):
    for i, (inputs, targets) in enumerate(loader):
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        if (i + 1) % window == 0:
            for weight in model.parameters():
                weight.grad /= window
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, loss.item())
