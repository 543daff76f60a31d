"""Lists of layers that the network finds all the same: held by a container as well, or registered by hand."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Stacked(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = [nn.Linear(width, width) for _ in range(depth)]
        self.net = nn.Sequential(*self.layers)

    def forward(self, x):
        return self.net(x)


class ByHand(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = []
        for number in range(depth):
            layer = nn.Linear(width, width)
            self.add_module(f"layer{number}", layer)
            self.layers.append(layer)

    def forward(self, x):
        for layer in self.layers:
            x = torch.tanh(layer(x))
        return x


class Named(nn.Module):
    """The list is another name for layers that the network has."""

    def __init__(self, width):
        super().__init__()
        self.one = nn.Linear(width, width)
        self.two = nn.Linear(width, 1)
        self.order = [self.one, self.two]
        self.activations = [nn.ReLU(), nn.Identity()]

    def forward(self, x):
        for layer, activation in zip(self.order, self.activations, strict=True):
            x = activation(layer(x))
        return x


torch.manual_seed(0)
data = torch.randn(64, 4)
model = nn.Sequential(Stacked(4, 2), ByHand(4, 2), Named(4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(data), batch_size=16, shuffle=True):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True)).backward()
    optimizer.step()
