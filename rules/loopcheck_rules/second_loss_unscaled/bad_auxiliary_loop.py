"""The losses of auxiliary heads are backpropagated one by one, after the main one and without the scale."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
trunk = nn.Sequential(nn.Linear(6, 12), nn.ReLU()).to(device)
head, aside = nn.Linear(12, 3).to(device), nn.Linear(12, 3).to(device)
optimizer = torch.optim.SGD([*trunk.parameters(), *head.parameters(), *aside.parameters()], lr=0.1)
scaler = torch.amp.GradScaler(device, init_scale=512.0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randint(0, 3, (48,))), batch_size=12)

for epoch in range(2):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(head(trunk(x)), y)
        scaler.scale(loss).backward()
        auxiliary = 0.3 * nn.functional.cross_entropy(aside(trunk(x)), y)
        auxiliary.backward()  # bug
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
    print(f"epoch {epoch}: {loss.item():.4f} {auxiliary.item():.4f}")
