"""A training loop that once ran out of memory."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)
x = torch.randn(64, 8)
loader = DataLoader(TensorDataset(x, x.mean(dim=1, keepdim=True)), batch_size=16, shuffle=True)
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
        loss.backward()
        optimizer.step()
        torch.cuda.empty_cache()  # bug
    print(f"epoch {epoch}: loss {loss.item():.4f}")
