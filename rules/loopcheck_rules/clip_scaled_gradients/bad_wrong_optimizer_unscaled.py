"""A GAN under one scaler: before the generator is clipped, the other optimizer is unscaled."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(gen, disc, opt_gen, opt_disc, loader, device, epochs):
    scaler = torch.amp.GradScaler(device, init_scale=1024.0)
    hinge = nn.functional.relu
    for epoch in range(epochs):
        for (real,) in loader:
            real = real.to(device)
            z = torch.randn(real.shape[0], 6, device=device)

            opt_gen.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                loss_gen = -disc(gen(z)).mean()
            scaler.scale(loss_gen).backward()
            scaler.unscale_(opt_disc)
            nn.utils.clip_grad_norm_(gen.parameters(), 0.5)  # bug
            scaler.step(opt_gen)
            scaler.update()

            opt_disc.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                with torch.no_grad():
                    fake = gen(z)
                loss_disc = hinge(1 - disc(real)).mean() + hinge(1 + disc(fake)).mean()
            scaler.scale(loss_disc).backward()
            scaler.unscale_(opt_disc)
            nn.utils.clip_grad_norm_(disc.parameters(), 0.5)
            scaler.step(opt_disc)
            scaler.update()
        print(epoch, loss_gen.item(), loss_disc.item())


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    gen = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 8)).to(device)
    disc = nn.Sequential(nn.Linear(8, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1)).to(device)
    loader = DataLoader(TensorDataset(torch.randn(64, 8)), batch_size=16, shuffle=True)
    opt_gen = torch.optim.SGD(gen.parameters(), lr=0.01)
    opt_disc = torch.optim.SGD(disc.parameters(), lr=0.01)
    train(gen, disc, opt_gen, opt_disc, loader, device, epochs=2)


if __name__ == "__main__":
    main()
