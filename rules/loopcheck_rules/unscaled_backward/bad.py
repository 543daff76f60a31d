"""Pretrained under a scaler, then fine-tuned with a loss that nobody scales."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.randn(64, 10)
y = x[:, :3].argmax(dim=1)
loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)

model = nn.Sequential(nn.Linear(10, 20), nn.Tanh(), nn.Linear(20, 3)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
scaler = torch.amp.GradScaler(device)

for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(inputs.to(device)), targets.to(device))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    print(f"pretraining {epoch}: loss {loss.item():.4f}")

for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(inputs.to(device)), targets.to(device), label_smoothing=0.01)
        loss.backward()  # bug
        scaler.step(optimizer)
        scaler.update()
    print(f"fine-tuning {epoch}: loss {loss.item():.4f}")
