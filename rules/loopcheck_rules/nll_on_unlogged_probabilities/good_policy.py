"""REINFORCE: the probability of an action is given to its distribution, and the loss is that of the logarithm it computes."""

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2), nn.Softmax(dim=-1))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for episode in range(4):
    states = torch.randn(12, 4)
    chosen = Categorical(policy(states))
    actions = chosen.sample()
    returns = (actions == (states[:, 0] > 0).long()).float()
    loss = -(chosen.log_prob(actions) * (returns - returns.mean())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"episode {episode}: return {returns.mean().item():.2f}")
