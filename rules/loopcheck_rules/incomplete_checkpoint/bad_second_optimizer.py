"""Of the two optimizers of a GAN one is in the file, by a helper that is told what to save."""

import io

import torch
from torch import nn


def save_checkpoint(state, file):
    torch.save(state, file)  # bug


def train(epochs):
    generator, discriminator = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
    g_optimizer = torch.optim.Adam(generator.parameters(), lr=2e-3)
    d_optimizer = torch.optim.Adam(discriminator.parameters(), lr=2e-3)
    criterion = nn.BCEWithLogitsLoss()
    ones, zeros = torch.ones(16, 1), torch.zeros(16, 1)
    for epoch in range(epochs):
        for real in torch.randn(64, 3).split(16):
            fake = generator(torch.randn(16, 2))
            d_optimizer.zero_grad()
            d_loss = criterion(discriminator(real), ones) + criterion(discriminator(fake.detach()), zeros)
            d_loss.backward()
            d_optimizer.step()
            g_optimizer.zero_grad()
            g_loss = criterion(discriminator(fake), ones)
            g_loss.backward()
            g_optimizer.step()
        print(f"epoch {epoch}: {d_loss.item():.4f} {g_loss.item():.4f}")
        state = {"g": generator.state_dict(), "d": discriminator.state_dict(), "g_optimizer": g_optimizer.state_dict()}
        save_checkpoint({"epoch": epoch + 1, **state}, io.BytesIO())


torch.manual_seed(0)
train(epochs=2)
