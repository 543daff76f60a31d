"""Two optimizers, one of them cleared."""

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

LATENT = 5


def make_mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.1)]
    return nn.Sequential(*layers[:-1])


def discriminator_step(D, G, opt_d, real):
    opt_d.zero_grad()
    with torch.no_grad():
        fake = G(torch.randn(len(real), LATENT, device=real.device))
    d_loss = torch.relu(1 - D(real)).mean() + torch.relu(1 + D(fake)).mean()
    d_loss.backward()
    opt_d.step()
    return d_loss.item()


def generator_step(D, G, opt_g, n, device):
    fake = G(torch.randn(n, LATENT, device=device))
    g_loss = -D(fake).mean()
    g_loss.backward()  # bug
    opt_g.step()
    return g_loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loader = DataLoader(TensorDataset(torch.rand(100, 3)), batch_size=25, shuffle=True)
    G = make_mlp(LATENT, 20, 3).to(device)
    D = make_mlp(3, 20, 1).to(device)
    opt_g = optim.SGD(G.parameters(), lr=1e-3)
    opt_d = optim.SGD(D.parameters(), lr=1e-3)
    for epoch in range(2):
        for (real,) in loader:
            d = discriminator_step(D, G, opt_d, real.to(device))
            g = generator_step(D, G, opt_g, len(real), device)
        print(f"{epoch} d={d:.4f} g={g:.4f}")


if __name__ == "__main__":
    main()
