"""Samples for the eye after each epoch: the generator stays in train mode, its batch norm reads the batch of fixed noise."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LATENT = 6


def build():
    generator = nn.Sequential(nn.Linear(LATENT, 24), nn.BatchNorm1d(24), nn.ReLU(), nn.Linear(24, 9), nn.Tanh())
    discriminator = nn.Sequential(nn.Linear(9, 24), nn.LeakyReLU(0.2), nn.Dropout(0.3), nn.Linear(24, 1))
    return generator, discriminator


def preview(generator, noise):
    with torch.no_grad():
        samples = generator(noise)
    return " ".join(f"{value:+.2f}" for value in samples[:, 4].tolist())


def main():
    torch.manual_seed(0)
    generator, discriminator = build()
    g_optimizer = torch.optim.Adam(generator.parameters(), lr=2e-4)
    d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=2e-4)
    criterion = nn.BCEWithLogitsLoss()
    loader = DataLoader(TensorDataset(torch.rand(64, 9) * 2 - 1), batch_size=16, shuffle=True)
    fixed_noise = torch.randn(4, LATENT)
    for epoch in range(2):
        for (real,) in loader:
            fake = generator(torch.randn(len(real), LATENT))

            d_optimizer.zero_grad()
            on_real = criterion(discriminator(real), torch.ones(len(real), 1))
            on_fake = criterion(discriminator(fake.detach()), torch.zeros(len(real), 1))
            (on_real + on_fake).backward()
            d_optimizer.step()

            g_optimizer.zero_grad()
            criterion(discriminator(fake), torch.ones(len(real), 1)).backward()
            g_optimizer.step()
        print(f"epoch {epoch}: {preview(generator, fixed_noise)}")


if __name__ == "__main__":
    main()
