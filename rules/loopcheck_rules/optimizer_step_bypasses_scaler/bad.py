"""The loss is scaled, but the optimizer is stepped without the scaler that knows the scale."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

inputs = torch.randn(64, 12)
labels = inputs[:, :3].argmax(dim=1)
loader = DataLoader(TensorDataset(inputs, labels), batch_size=32, shuffle=True)

model = nn.Linear(12, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler(device)

for epoch in range(3):
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        scaler.scale(loss).backward()
        optimizer.step()  # bug
    print(f"epoch {epoch}: loss {loss.item():.4f}")
