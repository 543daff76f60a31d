"""The pass ends by a break on a full window, and never because the loader has no more."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW, UPDATES = 4, 2

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(100, 6)
loader = DataLoader(TensorDataset(x, x.mean(dim=1, keepdim=True)), batch_size=10, shuffle=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    batches = iter(loader)
    for update in range(UPDATES):
        optimizer.zero_grad()
        for micro in range(WINDOW):
            inputs, targets = next(batches)
            loss = nn.functional.mse_loss(model(inputs.to(device)), targets.to(device))
            (loss / WINDOW).backward()
        optimizer.step()
    print(epoch, loss.item())
