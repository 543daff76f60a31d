"""At the top of the loop a multiple of k begins a window: what is cleared there is what was stepped with the batch before."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accumulation_steps = 4

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=4, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        if i % accumulation_steps == 0:
            optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y) / accumulation_steps
        loss.backward()
        if i % accumulation_steps == accumulation_steps - 1:
            optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
