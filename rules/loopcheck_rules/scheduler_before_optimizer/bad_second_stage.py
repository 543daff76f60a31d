"""Two stages. torch's own warning looks at the optimizer's first step ever, so in the second stage it says nothing."""

import torch
from torch import nn
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
loader = DataLoader(TensorDataset(torch.randn(30, 6), torch.randn(30, 2)), batch_size=10, shuffle=True)
model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)


def update(x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
    loss.backward()
    optimizer.step()
    return loss.item()


print("stage 1: constant rate")
for epoch in range(2):
    for x, y in loader:
        loss = update(x, y)
    print(f"  {loss:.4f}")

print("stage 2: falling rate")
scheduler = StepLR(optimizer, step_size=1, gamma=0.3)
for epoch in range(3):
    scheduler.step()  # bug
    for x, y in loader:
        loss = update(x, y)
    print(f"  {loss:.4f} at {scheduler.get_last_lr()[0]:.4f}")
