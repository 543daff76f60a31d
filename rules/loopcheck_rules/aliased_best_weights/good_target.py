"""A target network gets the weights of the one that learns, now and then: what is taken is loaded at once, into two."""

import torch
from torch import nn

torch.manual_seed(0)
states, rewards = torch.randn(64, 4), torch.randn(64)
online, target, spare = nn.Linear(4, 2), nn.Linear(4, 2), nn.Linear(4, 2)
target.load_state_dict(online.state_dict())
optimizer = torch.optim.SGD(online.parameters(), lr=0.05)

for step in range(12):
    batch = torch.randint(0, 63, (16,))
    with torch.no_grad():
        goal = rewards[batch] + 0.9 * target(states[batch + 1]).max(dim=1).values
    loss = nn.functional.mse_loss(online(states[batch]).max(dim=1).values, goal)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 4 == 3:
        weights = online.state_dict()
        target.load_state_dict(weights)
        spare.load_state_dict(weights)
print(f"loss {loss.item():.4f}")
