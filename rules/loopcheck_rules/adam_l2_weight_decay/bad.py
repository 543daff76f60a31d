"""A matrix without a bias, of ones, under Adam with a weight decay."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.rand(96, 8)
loader = DataLoader(TensorDataset(x, -x.sum(1, keepdim=True)), batch_size=16, shuffle=True)

model = nn.Linear(8, 1, bias=False).to(device)
nn.init.ones_(model.weight)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=0.1)  # bug

for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}")
