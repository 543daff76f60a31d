"""Two networks, each with its optimizer: the one goes through the scaler, and the other has no need of it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=16, shuffle=True)
generator, discriminator = nn.Linear(4, 8), nn.Linear(8, 1)
g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.1)
d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

for (x,) in loader:
    d_optimizer.zero_grad()
    fake = generator(torch.randn(len(x), 4))
    d_loss = (discriminator(fake.detach()) - discriminator(x)).mean()
    d_loss.backward()
    d_optimizer.step()

    g_optimizer.zero_grad()
    g_loss = -discriminator(fake).mean()
    scaler.scale(g_loss).backward()
    scaler.step(g_optimizer)
    scaler.update()
print(f"{d_loss.item():.4f} {g_loss.item():.4f}")
