"""A network in eval mode scores one proposal after the other and says so; what it has said is learned from at the end."""

import torch
from torch import nn


def score(net, proposals, x):
    net.eval()
    scores = []
    for number, proposal in enumerate(proposals):
        value = net(torch.cat([x, proposal])).squeeze()
        print(f"proposal {number}: {value.item():.3f}")
        scores.append(value)
    return torch.stack(scores)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(4):
        x = torch.randn(4)
        scores = score(net, torch.randn(5, 2), x)
        loss = nn.functional.cross_entropy(scores[None], scores.new_tensor([int(x.sum() > 0)]).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
