"""The `scheduler` of a diffusion model is its noise schedule, whose `step` denoises; the learning rate has one of its own."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class DDPMScheduler:
    """Adds noise in training, takes it away in sampling."""

    def __init__(self, timesteps=8):
        self.betas = torch.linspace(0.02, 0.4, timesteps)
        self.alphas_cumprod = torch.cumprod(1 - self.betas, dim=0)
        self.timesteps = list(reversed(range(timesteps)))

    def add_noise(self, samples, noise, t):
        kept = self.alphas_cumprod[t].unsqueeze(1)
        return kept.sqrt() * samples + (1 - kept).sqrt() * noise

    def step(self, predicted_noise, t, sample):
        kept, beta = self.alphas_cumprod[t], self.betas[t]
        mean = (sample - beta / (1 - kept).sqrt() * predicted_noise) / (1 - beta).sqrt()
        return mean + (beta.sqrt() * torch.randn_like(sample) if t > 0 else 0)


class Denoiser(nn.Module):
    def __init__(self, timesteps=8):
        super().__init__()
        self.time = nn.Embedding(timesteps, 8)
        self.net = nn.Sequential(nn.Linear(10, 32), nn.SiLU(), nn.Linear(32, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=1))


@torch.no_grad()
def sample(model, scheduler, count, device):
    model.eval()
    x = torch.randn(count, 2, device=device)
    for t in scheduler.timesteps:
        steps = torch.full((count,), t, device=device)
        x = scheduler.step(model(x, steps), t, x)
    model.train()
    return x


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    angles = 6.28 * torch.rand(96)
    loader = DataLoader(TensorDataset(torch.stack([angles.cos(), angles.sin()], dim=1)), batch_size=16, shuffle=True)
    model = Denoiser().to(device)
    noise_scheduler = DDPMScheduler()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=3 * len(loader))
    for epoch in range(3):
        points = sample(model, noise_scheduler, 64, device)
        print(f"epoch {epoch}: radius of the samples {points.norm(dim=1).mean().item():.2f}")
        for (clean,) in loader:
            noise = torch.randn_like(clean)
            t = torch.randint(0, 8, (len(clean),))
            noisy = noise_scheduler.add_noise(clean, noise, t).to(device)
            loss = nn.functional.mse_loss(model(noisy, t.to(device)), noise.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()


if __name__ == "__main__":
    main()
