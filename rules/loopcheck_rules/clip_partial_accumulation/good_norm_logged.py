"""The norm after each micro-batch is only logged: with an infinite limit nothing is clipped."""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
window = 4

x = torch.randn(64, 5)
loader = DataLoader(TensorDataset(x, x.pow(2).sum(1, keepdim=True)), batch_size=8, shuffle=True)
model = nn.Sequential(nn.Linear(5, 20), nn.ReLU(), nn.Linear(20, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(2):
    norms = []
    for i, (a, b) in enumerate(loader):
        loss = nn.functional.smooth_l1_loss(model(a.to(device)), b.to(device)) / window
        loss.backward()
        norms.append(torch.nn.utils.clip_grad_norm_(model.parameters(), math.inf).item())
        if (i + 1) % window == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            optimizer.zero_grad()
    print(f"epoch {epoch} norms {', '.join(f'{norm:.3f}' for norm in norms)}")
