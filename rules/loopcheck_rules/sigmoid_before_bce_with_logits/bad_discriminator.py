"""A discriminator whose forward ends in a sigmoid, judged by the loss that is numerically stable and takes logits."""

import torch
import torch.nn.functional as F
from torch import nn


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return torch.sigmoid(self.body(x)).view(-1)


def main():
    torch.manual_seed(0)
    generator = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 4))
    discriminator = Discriminator()
    optimizer_g = torch.optim.Adam(generator.parameters(), lr=0.002)
    optimizer_d = torch.optim.Adam(discriminator.parameters(), lr=0.002)
    for step in range(12):
        real, noise = torch.randn(8, 4) + 2, torch.randn(8, 3)
        fake = generator(noise)
        optimizer_d.zero_grad()
        loss_d = F.binary_cross_entropy_with_logits(discriminator(real), torch.ones(8))  # bug
        loss_d = loss_d + F.binary_cross_entropy_with_logits(discriminator(fake.detach()), torch.zeros(8))  # bug
        loss_d.backward()
        optimizer_d.step()
        optimizer_g.zero_grad()
        loss_g = F.binary_cross_entropy_with_logits(discriminator(fake), torch.ones(8))  # bug
        loss_g.backward()
        optimizer_g.step()
    print(f"discriminator {loss_d.item():.4f}, generator {loss_g.item():.4f}")


if __name__ == "__main__":
    main()
