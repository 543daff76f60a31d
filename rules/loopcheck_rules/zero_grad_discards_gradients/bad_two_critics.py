"""Two critics share an optimizer, which is cleared before each of them, and stepped once."""

import itertools

import torch
from torch import nn


def ask_for_gradients(model, wanted):
    for p in model.parameters():
        p.requires_grad = wanted


def train(generator, critics, g_optimizer, d_optimizer, batches):
    critic_a, critic_b = critics
    for noise, real_a, real_b in batches:
        for critic in critics:
            ask_for_gradients(critic, False)
        g_optimizer.zero_grad()
        fake = generator(noise)
        g_loss = -critic_a(fake).mean() - critic_b(fake).mean()
        g_loss.backward()
        g_optimizer.step()

        d_optimizer.zero_grad()
        ask_for_gradients(critic_a, True)
        loss_a = critic_a(fake.detach()).mean() - critic_a(real_a).mean()
        loss_a.backward()

        d_optimizer.zero_grad()  # bug
        ask_for_gradients(critic_b, True)
        loss_b = critic_b(fake.detach()).mean() - critic_b(real_b).mean()
        loss_b.backward()
        d_optimizer.step()
        print(f"generator {g_loss.item():.3f}, critics {loss_a.item():.3f} and {loss_b.item():.3f}")


torch.manual_seed(0)
generator = nn.Linear(4, 2)
critics = nn.Linear(2, 1), nn.Linear(2, 1)
g_optimizer = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_optimizer = torch.optim.Adam(itertools.chain(critics[0].parameters(), critics[1].parameters()), lr=1e-3)
batches = [(torch.randn(8, 4), torch.randn(8, 2) + 1, torch.randn(8, 2) - 1) for _ in range(4)]
train(generator, critics, g_optimizer, d_optimizer, batches)
