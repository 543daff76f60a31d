"""A toy GAN on a ring of points. The critic is clipped in time; the generator is not."""

import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
dev = torch.device("cuda" if torch.cuda.is_available() else "cpu")
nz = 4

angles = torch.rand(128) * 2 * math.pi
ring = torch.stack([angles.cos(), angles.sin()], dim=1)
dataloader = DataLoader(TensorDataset(ring), batch_size=32, shuffle=True, drop_last=True)

netG = nn.Sequential(nn.Linear(nz, 32), nn.ReLU(), nn.Linear(32, 2)).to(dev)
netD = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1)).to(dev)
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()

for epoch in range(2):
    for i, (real,) in enumerate(dataloader):
        real = real.to(dev)
        ones = torch.ones(real.size(0), 1, device=dev)
        zeros = torch.zeros(real.size(0), 1, device=dev)

        # (1) critic
        netD.zero_grad()
        fake = netG(torch.randn(real.size(0), nz, device=dev))
        errD = bce(netD(real), ones) + bce(netD(fake.detach()), zeros)
        errD.backward()
        nn.utils.clip_grad_norm_(netD.parameters(), 1.0)
        optimizerD.step()

        # (2) generator
        netG.zero_grad()
        errG = bce(netD(fake), ones)
        errG.backward()
        optimizerG.step()
        nn.utils.clip_grad_norm_(netG.parameters(), 1.0)  # bug

    print(f"epoch {epoch}  D {errD.item():.3f}  G {errG.item():.3f}")
