"""A head is trained on a frozen body, which is to follow from the third epoch on."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.Tanh())
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(self.body(x))


torch.manual_seed(0)
x = torch.randn(64, 8)
y = x.sum(dim=1, keepdim=True)
model = Net()
model.body.requires_grad_(False)
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1)  # bug
start = model.body[0].weight.detach().clone()

for epoch in range(4):
    if epoch == 2:
        model.body.requires_grad_(True)
    for inputs, targets in zip(x.split(16), y.split(16), strict=True):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
print(f"the body has moved by {(model.body[0].weight - start).norm().item()}")
