"""The generator learns from the first critic and leaves gradients in it; the critics' optimizer clears them, trains the second
critic, and then the first."""

import itertools

import torch
from torch import nn

torch.manual_seed(0)
generator, first, second = nn.Linear(4, 2), nn.Linear(2, 1), nn.Linear(2, 1)
g_optimizer = torch.optim.SGD(generator.parameters(), lr=0.01)
d_optimizer = torch.optim.SGD(itertools.chain(first.parameters(), second.parameters()), lr=0.01)
for step in range(4):
    real, noise = torch.randn(8, 2) + 1, torch.randn(8, 4)
    g_optimizer.zero_grad()
    fake = generator(noise)
    g_loss = -first(fake).mean()
    g_loss.backward()
    g_optimizer.step()

    for critic in (second, first):
        d_optimizer.zero_grad()
        d_loss = critic(fake.detach()).mean() - critic(real).mean()
        d_loss.backward()
        d_optimizer.step()
    print(f"step {step}: generator {g_loss.item():.3f}, critic {d_loss.item():.3f}")
