"""The average is judged beside the network from the start, when it is a copy of that; once it averages, its statistics are computed."""

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, update_bn


def error(net, x, y):
    net.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(net(x), y).item()


torch.manual_seed(0)
x = torch.randn(96, 6)
y = x.sum(dim=1, keepdim=True)
pretrained = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 1))
averaged = AveragedModel(pretrained)
print(f"before {error(averaged, x[64:], y[64:]):.4f}")

optimizer = torch.optim.SGD(pretrained.parameters(), lr=0.05, momentum=0.9)
for epoch in range(4):
    pretrained.train()
    for inputs, targets in zip(x[:64].split(16), y[:64].split(16), strict=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(pretrained(inputs), targets).backward()
        optimizer.step()
    averaged.update_parameters(pretrained)
    update_bn(x[:64].split(16), averaged)
    print(f"epoch {epoch} {error(averaged, x[64:], y[64:]):.4f}")
