"""The generator's loss leaves gradients in the critic; the critic throws them away before its own backward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class GAN:
    def __init__(self, device, z_dim=4):
        self.z_dim, self.device = z_dim, device
        self.G = nn.Sequential(nn.Linear(z_dim, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
        self.D = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
        self.g_optim = torch.optim.SGD(self.G.parameters(), lr=0.01)
        self.d_optim = torch.optim.SGD(self.D.parameters(), lr=0.01)
        self.bce = nn.BCEWithLogitsLoss()

    def sample(self, n):
        return self.G(torch.randn(n, self.z_dim, device=self.device))

    def generator_phase(self, n):
        self.g_optim.zero_grad()
        verdict = self.D(self.sample(n))
        loss = self.bce(verdict, torch.ones_like(verdict))
        loss.backward()
        self.g_optim.step()
        return loss

    def critic_phase(self, real):
        self.d_optim.zero_grad()
        on_real, on_fake = self.D(real), self.D(self.sample(len(real)).detach())
        loss = self.bce(on_real, torch.ones_like(on_real)) + self.bce(on_fake, torch.zeros_like(on_fake))
        loss.backward()
        self.d_optim.step()
        return loss

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for (real,) in loader:
                g = self.generator_phase(len(real))
                d = self.critic_phase(real.to(self.device))
            print(epoch, g.item(), d.item())


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 2) + 3)
    GAN("cuda" if torch.cuda.is_available() else "cpu").fit(DataLoader(data, batch_size=16, shuffle=True), epochs=2)
