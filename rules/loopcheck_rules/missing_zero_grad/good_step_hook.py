"""Gradients that each step clears behind itself, by a hook of the optimizer."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

points = torch.randn(64, 4)
labels = (points @ torch.tensor([1.0, -2.0, 0.5, 3.0]) > 0).float().unsqueeze(1)
loader = DataLoader(TensorDataset(points, labels), batch_size=64, shuffle=True)

model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
criterion = nn.BCEWithLogitsLoss()
optimizer.register_step_post_hook(lambda stepped, args, kwargs: stepped.zero_grad())

for epoch in range(8):
    for inputs, targets in loader:
        loss = criterion(model(inputs.to(device)), targets.to(device))
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.5f}")
