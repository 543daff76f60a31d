"""The untrained model is measured before the first epoch, and each epoch begins in train mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x, y = torch.randn(96, 8), torch.randint(0, 3, (96,))
loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)

model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def measure():
    model.eval()
    with torch.no_grad():
        return (model(x[64:]).argmax(1) == y[64:]).float().mean().item()


print(f"before: {measure():.3f}")
for epoch in range(2):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs), targets)
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {measure():.3f}")
