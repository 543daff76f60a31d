"""The network computes its loss as a sum over all samples, and adds up what it has seen in a window."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x, y, reduction="sum"):
        out = self.layers(x)
        return out, nn.functional.mse_loss(out, y, reduction=reduction)


torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), batch_size=8, shuffle=True)
model = Regressor().to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
accumulate = 4
model.train()
for epoch in range(2):
    for i, (x, y) in enumerate(loader):
        _, loss = model(x.to(device), y.to(device))
        loss.backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
print(f"loss {loss.item():.3f}")
