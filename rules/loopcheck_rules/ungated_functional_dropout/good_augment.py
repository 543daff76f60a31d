"""A denoising autoencoder corrupts its inputs in the training loop, outside of any network."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x = torch.randn(48, 12)
autoencoder = nn.Sequential(nn.Linear(12, 6), nn.ReLU(), nn.Linear(6, 12))
optimizer = torch.optim.Adam(autoencoder.parameters(), lr=0.01)
for epoch in range(3):
    for clean in x.split(12):
        corrupted = F.dropout(clean, 0.3)
        loss = F.mse_loss(autoencoder(corrupted), clean)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
