"""Two networks are given the same weights to see whether they compute the same: nobody has trained these, and nobody uses them."""

import torch
from torch import nn


def make():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))


def main():
    torch.manual_seed(0)
    one, other = make(), make()
    other.load_state_dict(one.state_dict())
    x = torch.randn(16, 4)
    print(f"{(one(x) - other(x)).abs().max().item():.6f}")


if __name__ == "__main__":
    main()
