"""Networks that are hidden on purpose: a teacher alone in a list, filters that are not learned, and a class that is no module."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Distilled(nn.Module):
    """The teacher is no part of what is saved and trained."""

    def __init__(self, width):
        super().__init__()
        self.student = nn.Linear(width, 1)
        self.teacher = [nn.Linear(width, 1)]

    def forward(self, x):
        with torch.no_grad():
            wanted = self.teacher[0](x)
        return nn.functional.mse_loss(self.student(x), wanted)


class Filtered(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.filters = [nn.Linear(width, width, bias=False) for _ in range(2)]
        for each in self.filters:
            each.requires_grad_(False)
        self.head = nn.Linear(width, width)

    def forward(self, x):
        return self.head(sum(each(x) for each in self.filters))


class Ensemble:
    def __init__(self, width, size):
        self.members = [nn.Linear(width, 1) for _ in range(size)]

    def parameters(self):
        return [p for member in self.members for p in member.parameters()]

    def __call__(self, x):
        return sum(member(x) for member in self.members)


torch.manual_seed(0)
data = torch.randn(64, 4)
filtered, distilled, ensemble = Filtered(4), Distilled(4), Ensemble(4, 3)
optimizer = torch.optim.SGD([*filtered.parameters(), *distilled.parameters(), *ensemble.parameters()], lr=0.1)
for (x,) in DataLoader(TensorDataset(data), batch_size=16, shuffle=True):
    optimizer.zero_grad()
    features = filtered(x)
    loss = distilled(features) + ensemble(features).square().mean()
    loss.backward()
    optimizer.step()
