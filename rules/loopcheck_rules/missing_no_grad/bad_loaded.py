"""A regression that somebody has fitted is applied row by row: nothing is trained here, so no graph is of use."""

import io

import torch
from torch import nn


def estimate(net, rows):
    found = []
    for row in rows:
        value = net(row.unsqueeze(0))  # bug
        found.append(value.item())
    return found


def main():
    torch.manual_seed(0)
    checkpoint = io.BytesIO()
    torch.save(nn.Linear(5, 1).state_dict(), checkpoint)
    checkpoint.seek(0)
    net = nn.Linear(5, 1)
    net.load_state_dict(torch.load(checkpoint))
    print([round(value, 3) for value in estimate(net, torch.randn(8, 5))])


if __name__ == "__main__":
    main()
