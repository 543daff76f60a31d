"""A policy goes on from somebody's weights: what it does is sampled in the mode in which it is trained right after that."""

import io

import torch
from torch import nn


def collect(policy, states):
    chosen = []
    for state in states:
        chosen.append(policy(state.unsqueeze(0)).argmax(dim=1).item())
    return chosen


def main():
    torch.manual_seed(0)
    checkpoint = io.BytesIO()
    torch.save(nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 2)).state_dict(), checkpoint)
    checkpoint.seek(0)
    policy = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Linear(8, 2))
    policy.load_state_dict(torch.load(checkpoint))
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.05)
    for _ in range(3):
        states = torch.randn(16, 4)
        chosen = collect(policy, states)
        wanted = (states.sum(dim=1) > 0).long()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(policy(states), wanted)
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.3f}", sum(chosen))


if __name__ == "__main__":
    main()
