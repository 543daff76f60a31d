"""The critic's loss runs back into the generator; what it leaves there is cleared before the generator's own loss."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
zdim = 3

netG = nn.Sequential(nn.Linear(zdim, 12), nn.ReLU(), nn.Linear(12, 2)).to(device)
netD = nn.Sequential(nn.Linear(2, 12), nn.ReLU(), nn.Linear(12, 1)).to(device)
optG = torch.optim.SGD(netG.parameters(), lr=0.01)
optD = torch.optim.SGD(netD.parameters(), lr=0.01)
loader = DataLoader(TensorDataset(torch.randn(64, 2) * 0.5), batch_size=16, shuffle=True)

for epoch in range(2):
    for (real,) in loader:
        real = real.to(device)

        netD.zero_grad()
        fake = netG(torch.randn(len(real), zdim, device=device))
        lossD = (netD(real) - 1).pow(2).mean() + netD(fake).pow(2).mean()
        lossD.backward()
        optD.step()

        netG.zero_grad()
        fake = netG(torch.randn(len(real), zdim, device=device))
        lossG = (netD(fake) - 1).pow(2).mean()
        lossG.backward()
        optG.step()
    print(f"{epoch}: D {lossD.item():.3f} G {lossG.item():.3f}")
