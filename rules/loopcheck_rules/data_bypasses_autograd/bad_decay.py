"""A trainer that decays weights by hand, and does so too early."""

import torch
from torch import nn


class Trainer:
    def __init__(self, net, decay):
        self.net, self.decay = net, decay
        self.optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)

    def shrink(self):
        for _, p in self.net.named_parameters():
            p.data = p.data * (1 - self.decay)  # bug

    def step(self, x, y):
        loss = nn.functional.mse_loss(self.net(x), y)
        self.shrink()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


torch.manual_seed(0)
trainer = Trainer(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1)), 1e-2)
for _ in range(4):
    x = torch.randn(32, 8)
    print(f"loss {trainer.step(x, x.mean(dim=1, keepdim=True)):.4f}")
