"""A discriminator that ends in a sigmoid, and BCELoss."""

import torch
from torch import nn


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, x):
        return self.body(x)


torch.manual_seed(0)
discriminator = Discriminator()
criterion = nn.BCELoss()
optimizer = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
for _ in range(10):
    real, fake = torch.randn(16, 8) + 1, torch.randn(16, 8)
    optimizer.zero_grad()
    of_real = criterion(discriminator(real), torch.ones(16, 1))  # bug
    of_fake = criterion(discriminator(fake), torch.zeros(16, 1))  # bug
    (of_real + of_fake).backward()
    optimizer.step()
print(f"losses {of_real.item():.4f} and {of_fake.item():.4f}")
