"""Each critic of an ensemble learns of one batch: the losses that are listed are of as many graphs as there are critics."""

import torch
from torch import nn
from torch.nn import functional as F


class Critics(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.members = nn.ModuleList([nn.Linear(4, 1) for _ in range(size)])


class Agent:
    def __init__(self):
        self.critics = Critics(3)
        self.optimizers = [torch.optim.Adam(each.parameters(), lr=1e-2) for each in self.critics.members]

    def learn(self, states, returns):
        losses = []
        for critic, optimizer in zip(self.critics.members, self.optimizers):
            each_loss = F.mse_loss(critic(states), returns, reduction="none")
            losses.append(each_loss)
            optimizer.zero_grad()
            each_loss.mean().backward()
            optimizer.step()
        return torch.stack(losses).max(dim=0).values.detach().flatten()


torch.manual_seed(0)
agent = Agent()
for _ in range(10):
    states = torch.rand(8, 4)
    priorities = agent.learn(states, states.sum(dim=1, keepdim=True))
    print(f"{priorities.mean().item():.4f}")
