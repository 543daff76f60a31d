"""A small GAN on points: the discriminator's gradient is the sum of two different losses, and nothing is accumulated."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

angles = torch.rand(64) * 6.28
points = torch.stack([angles.cos(), angles.sin()], dim=1)
loader = DataLoader(TensorDataset(points), batch_size=16, shuffle=True)

netG = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
netD = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1)).to(device)
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()

for epoch in range(2):
    for i, (real,) in enumerate(loader):
        real = real.to(device)
        ones = torch.ones(len(real), 1, device=device)
        zeros = torch.zeros(len(real), 1, device=device)

        netD.zero_grad()
        errD_real = bce(netD(real), ones)
        errD_real.backward()
        fake = netG(torch.randn(len(real), 4, device=device))
        errD_fake = bce(netD(fake.detach()), zeros)
        errD_fake.backward()
        optD.step()

        netG.zero_grad()
        errG = bce(netD(fake), ones)
        errG.backward()
        optG.step()
    print(f"[{epoch}] D {errD_real.item() + errD_fake.item():.3f} G {errG.item():.3f}")
