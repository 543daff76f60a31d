"""A loss that a decorated helper computes, and the decorator switches autograd off."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(64, 4)
loader = DataLoader(TensorDataset(inputs, inputs.sum(dim=1, keepdim=True)), batch_size=16, shuffle=True)
model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


@torch.no_grad()
def loss_of(model, x, y):
    return nn.functional.mse_loss(model(x), y)


for x, y in loader:
    optimizer.zero_grad()
    loss = loss_of(model, x, y)
    loss.backward()  # bug
    optimizer.step()
