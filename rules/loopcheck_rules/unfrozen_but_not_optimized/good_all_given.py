"""The optimizer has all parameters from the beginning, and passes over those without a gradient; a critic is frozen for a while."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.Tanh())
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        return self.head(self.body(x))


torch.manual_seed(0)
x = torch.randn(64, 8)
model, critic = Net(), nn.Linear(1, 1)
model.body.requires_grad_(False)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
of_critic = torch.optim.SGD(critic.parameters(), lr=0.1)
for epoch in range(3):
    if epoch == 1:
        model.body.requires_grad_(True)
    for inputs in x.split(16):
        critic.requires_grad_(False)
        optimizer.zero_grad()
        loss = critic(model(inputs)).mean() + nn.functional.mse_loss(model(inputs), inputs.mean(dim=1, keepdim=True))
        loss.backward()
        optimizer.step()
        critic.requires_grad_(True)
        of_critic.zero_grad()
        critic(model(inputs).detach()).pow(2).mean().backward()
        of_critic.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
