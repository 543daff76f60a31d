"""Looks at the norm left over from the pass before, with nothing to limit it, and only then runs backward."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Linear(14, 1)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
samples = torch.randn(70, 7)
loader = DataLoader(TensorDataset(samples, samples.mean(1, keepdim=True)), batch_size=14, shuffle=True)

for epoch in range(2):
    for a, b in loader:
        loss = nn.functional.l1_loss(net(a.to(device)), b.to(device))
        previous = nn.utils.clip_grad_norm_(net.parameters(), max_norm=math.inf)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
        optimizer.step()
    print(f"{epoch}: loss {loss.item():.3f}, previous gradient norm {previous.item():.3f}")
