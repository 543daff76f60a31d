"""The weights of the best epoch are kept, and put back when training is over."""

import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 6)
y = x.sum(dim=1, keepdim=True) + torch.randn(64, 1)
loader = DataLoader(TensorDataset(x[:32], y[:32]), batch_size=8, shuffle=True)
val_loader = DataLoader(TensorDataset(x[32:], y[32:]), batch_size=32)

model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
criterion = nn.MSELoss()


def validate():
    model.eval()
    with torch.no_grad():
        return sum(criterion(model(inputs), targets).item() for inputs, targets in val_loader)


best_error = float("inf")
best_weights = None
for epoch in range(12):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        criterion(model(inputs), targets).backward()
        optimizer.step()
    error = validate()
    if error < best_error:
        best_error = error
        best_weights = copy.deepcopy(model.state_dict())

model.load_state_dict(best_weights)
print(f"best validation error {best_error:.4f}, of the weights put back {validate():.4f}")
