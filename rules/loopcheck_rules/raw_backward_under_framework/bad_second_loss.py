"""Two networks, one of whose losses goes the right way."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(accelerator, discriminator, generator, d_optimizer, g_optimizer, real):
    fake = generator(torch.randn(len(real), 4))

    d_optimizer.zero_grad()
    real_score, fake_score = discriminator(real), discriminator(fake.detach())
    d_loss = F.softplus(-real_score).mean() + F.softplus(fake_score).mean()
    accelerator.backward(d_loss)
    d_optimizer.step()

    g_optimizer.zero_grad()
    g_loss = F.softplus(-discriminator(fake)).mean()
    g_loss.backward()  # bug
    g_optimizer.step()
    return d_loss.item(), g_loss.item()


def main():
    torch.manual_seed(0)
    accelerator = Accelerator()
    generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    discriminator = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1))
    g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.01)
    d_optimizer = torch.optim.SGD(discriminator.parameters(), lr=0.01)
    loader = DataLoader(TensorDataset(torch.randn(48, 2)), batch_size=12, shuffle=True)
    generator, discriminator, g_optimizer, d_optimizer, loader = accelerator.prepare(
        generator, discriminator, g_optimizer, d_optimizer, loader
    )
    for epoch in range(2):
        for (real,) in loader:
            losses = train_step(accelerator, discriminator, generator, d_optimizer, g_optimizer, real)
        accelerator.print(epoch, losses)


if __name__ == "__main__":
    main()
