"""A contrastive loss trains the encoder that a critic holds: its optimizer drops what the critic's own loss has left there."""

import sys

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(size, size)

    def forward(self, x):
        return self.fc(x)


class NormalizedEncoder(Encoder):
    def forward(self, x):
        return nn.functional.normalize(self.fc(x), dim=-1)


ENCODERS = {"plain": Encoder, "normalized": NormalizedEncoder}


def make_encoder(kind, size):
    return ENCODERS[kind](size)


class Critic(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.encoder = make_encoder(kind, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.encoder(x))


class Contrast(nn.Module):
    def __init__(self, critic, target):
        super().__init__()
        self.encoder = critic.encoder
        self.target_encoder = target.encoder
        self.W = nn.Parameter(torch.rand(4, 4))

    def encode(self, x, target=False):
        if target:
            with torch.no_grad():
                return self.target_encoder(x)
        return self.encoder(x)

    def logits(self, anchors, positives):
        return anchors @ self.W @ positives.T


class Agent:
    def __init__(self, kind):
        self.critic = Critic(kind)
        self.target = Critic(kind)
        self.contrast = Contrast(self.critic, self.target).to("cpu")
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters(), lr=1e-2)
        self.encoder_optimizer = torch.optim.Adam(self.critic.encoder.parameters(), lr=1e-2)
        self.contrast_optimizer = torch.optim.Adam(self.contrast.parameters(), lr=1e-2)

    def update(self, x):
        self.critic_optimizer.zero_grad()
        self.critic(x).pow(2).mean().backward()
        self.critic_optimizer.step()

        logits = self.contrast.logits(self.contrast.encode(x), self.contrast.encode(x, target=True))
        loss = nn.functional.cross_entropy(logits, torch.arange(len(x)))
        self.encoder_optimizer.zero_grad()
        self.contrast_optimizer.zero_grad()
        loss.backward()
        self.encoder_optimizer.step()
        self.contrast_optimizer.step()


torch.manual_seed(0)
agent = Agent(sys.argv[1] if len(sys.argv) > 1 else "plain")
for _ in range(3):
    agent.update(torch.rand(8, 4))
