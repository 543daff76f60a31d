"""A GAN with one scaler: each optimizer is unscaled once, and one update closes the round."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

points = torch.randn(64, 2) * 0.2 + 1
loader = DataLoader(TensorDataset(points), batch_size=16, shuffle=True)

netG = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2)).to(device)
netD = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1)).to(device)
optG = torch.optim.Adam(netG.parameters(), lr=2e-4)
optD = torch.optim.Adam(netD.parameters(), lr=2e-4)
scaler = torch.amp.GradScaler(device)
bce = nn.BCEWithLogitsLoss()

for epoch in range(2):
    for (real,) in loader:
        real = real.to(device)
        ones, zeros = torch.ones(len(real), 1, device=device), torch.zeros(len(real), 1, device=device)

        optD.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            fake = netG(torch.randn(len(real), 4, device=device))
            loss_d = bce(netD(real), ones) + bce(netD(fake.detach()), zeros)
        scaler.scale(loss_d).backward()
        scaler.unscale_(optD)
        nn.utils.clip_grad_norm_(netD.parameters(), 1.0)
        scaler.step(optD)

        optG.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss_g = bce(netD(fake), ones)
        scaler.scale(loss_g).backward()
        scaler.unscale_(optG)
        nn.utils.clip_grad_norm_(netG.parameters(), 1.0)
        scaler.step(optG)
        scaler.update()
    print(epoch, loss_d.item(), loss_g.item())
