"""A small regression on noisy targets, with gradients meant to be limited to norm 1."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

MAX_NORM = 1.0

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

features = torch.randn(128, 8)
targets = 20 * features.sum(dim=1, keepdim=True) + torch.randn(128, 1)
loader = DataLoader(TensorDataset(features, targets), batch_size=32, shuffle=True)

model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
criterion = nn.MSELoss()

for epoch in range(3):
    for inputs, labels in loader:
        inputs, labels = inputs.to(device), labels.to(device)
        optimizer.zero_grad()
        loss = criterion(model(inputs), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.2f}")
