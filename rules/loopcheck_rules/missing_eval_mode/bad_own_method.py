"""The network is asked for values by a method of its own, which no name says anything of, and nobody has left train mode."""

import numpy as np
import torch
from torch import nn


class QNetwork(nn.Module):
    def __init__(self, width, actions):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, width), nn.ReLU(), nn.Dropout(0.5))
        self.advantages = nn.Linear(width, actions)

    def forward(self, states):
        return self.advantages(self.trunk(states))

    def _values(self, states):
        return self.advantages(self.trunk(states))

    def best(self, states):
        return self._values(states).max(dim=1).values


def mean_value(eval_states, net):
    means = []
    for batch in np.array_split(eval_states, 4):
        with torch.no_grad():
            best = net.best(torch.tensor(batch))  # bug
        means.append(best.mean().item())
    return np.mean(means)


torch.manual_seed(0)
eval_states = np.random.default_rng(0).random((16, 4), dtype=np.float32)
net = QNetwork(8, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(6):
    states = torch.rand(8, 4)
    loss = nn.functional.mse_loss(net(states), torch.stack([states.sum(1), -states.sum(1)], dim=1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 3 == 2:
        print(f"step {step}: {loss.item():.3f} {mean_value(eval_states, net):.3f}")
