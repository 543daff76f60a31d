"""For an evaluation the averaged weights take the place of the model's own, which are put aside and put back."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(48, 3)
y = x.abs().sum(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
average = copy.deepcopy(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

for epoch in range(3):
    for inputs, targets in zip(x[:32].split(8), y[:32].split(8), strict=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), targets).backward()
        optimizer.step()
        with torch.no_grad():
            for slow, fast in zip(average.parameters(), model.parameters(), strict=True):
                slow.lerp_(fast, 0.1)

    aside = model.state_dict()  # bug
    model.load_state_dict(average.state_dict())
    with torch.no_grad():
        print(f"epoch {epoch}: {nn.functional.mse_loss(model(x[32:]), y[32:]).item():.4f} by the averaged weights")
    model.load_state_dict(aside)
