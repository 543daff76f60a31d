"""The losses of both halves of a batch are listed, and a sum over a window begins again with the next one."""

import torch
from torch import nn
from torch.nn import functional as F


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=0.01)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))

    def learn(self, real, fake):
        losses = []
        for half in [real, fake]:
            self.optimizer.zero_grad()
            loss = F.softplus(-self(half)).mean()
            losses.append(loss)
            loss.backward()
            self.optimizer.step()
        return losses[0].item() + losses[1].item()


torch.manual_seed(0)
x = torch.randn(64, 4)
critic = Critic()
for batch in x.split(16):
    print(f"{critic.learn(batch, torch.rand_like(batch)):.4f}")

model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
window_loss, rows, log = 0, 0, []
for number, inputs in enumerate(x.split(8)):
    loss = F.cross_entropy(model(inputs), (inputs.sum(dim=1) > 0).long())
    window_loss += loss / 2
    rows += len(inputs)
    (loss / 2).backward()
    if (number + 1) % 2 == 0:
        optimizer.step()
        optimizer.zero_grad()
        log.append((window_loss.item(), rows))
        window_loss, rows = 0, 0
print(log)
