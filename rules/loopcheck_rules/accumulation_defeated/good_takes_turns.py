"""Every third batch is the critic's, the others are the generator's: two optimizers take turns, and each pass is a step of one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(generator, critic, opt_g, opt_d, loader, turns):
    for i, (real,) in enumerate(loader):
        fake = generator(torch.randn(len(real), 4))
        if i % turns == 0:
            loss = critic(fake.detach()).mean() - critic(real).mean()
            opt_d.zero_grad()
        else:
            loss = -critic(fake).mean()
            opt_g.zero_grad()
        loss.backward()
        if i % turns == 0:
            opt_d.step()
        else:
            opt_g.step()


def main():
    torch.manual_seed(0)
    generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 8))
    critic = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
    opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, weight_decay=0)
    opt_d = torch.optim.Adam(critic.parameters(), lr=1e-3, weight_decay=0)
    loader = DataLoader(TensorDataset(torch.randn(54, 8)), batch_size=6, shuffle=True)
    for _ in range(2):
        train(generator, critic, opt_g, opt_d, loader, turns=3)


if __name__ == "__main__":
    main()
