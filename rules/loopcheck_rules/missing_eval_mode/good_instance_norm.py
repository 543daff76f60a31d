"""Instance norm without running statistics, and a dropout of nothing: what the network computes is the same in both modes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def block(channels_in, channels_out):
    return nn.Sequential(
        nn.Conv1d(channels_in, channels_out, 3, padding=1), nn.InstanceNorm1d(channels_out), nn.ReLU(), nn.Dropout(0.0)
    )


torch.manual_seed(0)
signals = torch.randn(48, 1, 16)
targets = signals.cumsum(dim=2)
train_loader = DataLoader(TensorDataset(signals[:32], targets[:32]), batch_size=8, shuffle=True)
val_loader = DataLoader(TensorDataset(signals[32:], targets[32:]), batch_size=8)
model = nn.Sequential(block(1, 8), block(8, 8), nn.Conv1d(8, 1, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        val_loss = sum(nn.functional.mse_loss(model(x), y).item() for x, y in val_loader)
    print(f"epoch {epoch}: validation loss {val_loss / len(val_loader):.4f}")
