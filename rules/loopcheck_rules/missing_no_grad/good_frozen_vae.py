"""A frozen VAE turns images into latents in training and in validation; nothing in it needs a gradient, so it needs no no_grad."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class VAE(nn.Module):
    def __init__(self, pixels=16, latent=4):
        super().__init__()
        self.encoder = nn.Linear(pixels, 2 * latent)
        self.decoder = nn.Linear(latent, pixels)

    def encode(self, x):
        mean, log_var = self.encoder(x).chunk(2, dim=1)
        return mean + torch.randn_like(mean) * (0.5 * log_var).exp(), mean, log_var

    def decode(self, z):
        return self.decoder(z)

    def forward(self, x):
        z, mean, log_var = self.encode(x)
        return self.decode(z), mean, log_var


def train_vae(vae, loader, device):
    optimizer = torch.optim.Adam(vae.parameters(), lr=1e-2)
    for (x,) in loader:
        x = x.to(device)
        rebuilt, mean, log_var = vae(x)
        loss = F.mse_loss(rebuilt, x) - 0.001 * (1 + log_var - mean.square() - log_var.exp()).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def noise_loss(denoiser, latents):
    noise = torch.randn_like(latents)
    level = torch.rand(len(latents), 1, device=latents.device)
    noisy = (1 - level) * latents + level * noise
    return F.mse_loss(denoiser(torch.cat([noisy, level], dim=1)), noise)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images = torch.rand(120, 16)
    train_loader = DataLoader(TensorDataset(images[:80]), batch_size=20, shuffle=True)
    val_loader = DataLoader(TensorDataset(images[80:]), batch_size=20, drop_last=True)
    vae = VAE().to(device)
    train_vae(vae, train_loader, device)

    vae.requires_grad_(False)
    vae.eval()
    denoiser = nn.Sequential(nn.Linear(5, 32), nn.SiLU(), nn.Linear(32, 4)).to(device)
    optimizer = torch.optim.AdamW(denoiser.parameters(), lr=1e-3, weight_decay=0.0)
    for epoch in range(3):
        denoiser.train()
        for (x,) in train_loader:
            latents, _, _ = vae.encode(x.to(device))
            loss = noise_loss(denoiser, latents * 0.18)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        denoiser.eval()
        val_losses = []
        for (x,) in val_loader:
            latents, _, _ = vae.encode(x.to(device))
            with torch.no_grad():
                val_losses.append(noise_loss(denoiser, latents * 0.18))
        print(f"epoch {epoch}: train {loss.item():.4f} val {torch.stack(val_losses).mean().item():.4f}")


if __name__ == "__main__":
    main()
