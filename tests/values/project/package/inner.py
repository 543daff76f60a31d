"""What a package hands on."""
import torch
from torch import nn

NAME = "inner"


def build(width):
    net = nn.Linear(width, width)
    return net, torch.optim.SGD(net.parameters())
