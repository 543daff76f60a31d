"""Stage one trains everything; in stage two the backbone stays in eval mode on purpose, and only the head learns."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x, y = torch.randn(64, 8), torch.randint(0, 4, (64,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)

backbone = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU()).to(device)
coarse_head = nn.Linear(16, 2).to(device)
optimizer = torch.optim.SGD([*backbone.parameters(), *coarse_head.parameters()], lr=0.1)
for epoch in range(2):
    backbone.train()
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(coarse_head(backbone(inputs.to(device))), labels.to(device) % 2)
        loss.backward()
        optimizer.step()
    print(f"coarse {epoch}: {loss.item():.3f}")

backbone.eval()
backbone.requires_grad_(False)
head = nn.Linear(16, 4).to(device)
head_optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, labels in loader:
        head_optimizer.zero_grad()
        loss = nn.functional.cross_entropy(head(backbone(inputs.to(device))), labels.to(device))
        loss.backward()
        head_optimizer.step()
    print(f"fine {epoch}: {loss.item():.3f}")
