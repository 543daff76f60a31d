"""The clip that follows the generator's step belongs to the critic, whose gradients are still to be applied."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def generator_loss(critic, samples):
    return -critic(samples).mean()


def critic_loss(critic, real, fake):
    return critic(fake).mean() - critic(real).mean()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    points = TensorDataset(torch.randn(96, 2) * 0.2 + 1.0)
    loader = DataLoader(points, batch_size=24, shuffle=True)

    generator = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 2)).to(device)
    critic = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 1)).to(device)
    gen_opt = torch.optim.RMSprop(generator.parameters(), lr=5e-4)
    critic_opt = torch.optim.RMSprop(critic.parameters(), lr=5e-4)

    for epoch in range(3):
        for (real,) in loader:
            real = real.to(device)
            noise = torch.randn(len(real), 3, device=device)

            gen_opt.zero_grad()
            generator_loss(critic, generator(noise)).backward()
            torch.nn.utils.clip_grad_norm_(generator.parameters(), 1.0)

            critic_opt.zero_grad()
            with torch.no_grad():
                fake = generator(noise)
            loss = critic_loss(critic, real, fake)
            loss.backward()

            gen_opt.step()
            torch.nn.utils.clip_grad_norm_(critic.parameters(), 1.0)
            critic_opt.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
