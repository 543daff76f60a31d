"""A function that returns `no_grad` for others to enter, and a model with a method of that name."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def quiet():
    return torch.no_grad()


class Frozen(nn.Module):
    """A network whose first layer stays as it is."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 8)
        self.second = nn.Linear(8, 1)

    def no_grad(self):
        for parameter in self.first.parameters():
            parameter.requires_grad_(False)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


torch.manual_seed(0)
data = torch.randn(80, 4)
labels = data.sum(dim=1, keepdim=True)
train_loader = DataLoader(TensorDataset(data[:64], labels[:64]), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(data[64:], labels[64:]), batch_size=8)
model = Frozen()
model.no_grad()
optimizer = torch.optim.SGD(model.second.parameters(), lr=0.1)

for x, y in train_loader:
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    optimizer.step()
with quiet():
    print(sum(nn.functional.mse_loss(model(x), y).item() * len(x) for x, y in test_loader) / 16)
model.load_state_dict(model.state_dict())
