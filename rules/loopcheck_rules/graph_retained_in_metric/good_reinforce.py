"""An episode's terms are listed while it goes on, and make one loss when it is over."""

import torch
from torch import nn

torch.manual_seed(0)
policy = nn.Linear(4, 2)
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)

for episode in range(3):
    terms, state = [], torch.randn(4)
    for step in range(6):
        chances = torch.distributions.Categorical(logits=policy(state))
        action = chances.sample()
        policy_loss = -chances.log_prob(action) * (action == 0).float()
        terms.append(policy_loss)
        state = torch.randn(4)
    loss = torch.stack(terms).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"episode {episode}: {loss.item():.4f}")
