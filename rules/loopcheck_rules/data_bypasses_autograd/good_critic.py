"""Weights of a critic are clipped after its step, those of both networks are drawn before training, and an average follows."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
critic, generator = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)), nn.Linear(4, 4)
for p in generator.parameters():
    p.data.normal_(0.0, 0.1)
average = copy.deepcopy(generator)
of_critic = torch.optim.RMSprop(critic.parameters(), lr=1e-3)
of_generator = torch.optim.RMSprop(generator.parameters(), lr=1e-3)
for step in range(4):
    real = torch.randn(16, 4) + 1
    of_critic.zero_grad()
    loss = critic(generator(torch.randn(16, 4)).detach()).mean() - critic(real).mean()
    loss.backward()
    of_critic.step()
    for p in critic.parameters():
        p.data.clamp_(-0.05, 0.05)
    of_generator.zero_grad()
    wanted = -critic(generator(torch.randn(16, 4))).mean()
    for kept, p in zip(average.parameters(), generator.parameters(), strict=True):
        kept.data.mul_(0.9).add_(p.data, alpha=0.1)
    wanted.backward()
    of_generator.step()
print(f"losses {loss.item():.4f} and {wanted.item():.4f}")
