"""Mixed-precision training; what is clipped still carries the loss scale."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

MAX_NORM = 0.1

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

images = torch.randn(96, 20)
labels = images[:, :5].argmax(dim=1)
loader = DataLoader(TensorDataset(images, labels), batch_size=32, shuffle=True)

model = nn.Sequential(nn.Linear(20, 64), nn.LayerNorm(64), nn.ReLU(), nn.Linear(64, 5)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
scaler = torch.amp.GradScaler(device)

for epoch in range(3):
    for inputs, targets in loader:
        optimizer.zero_grad()
        with torch.autocast(device, dtype=torch.float16):
            loss = criterion(model(inputs.to(device)), targets.to(device))
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), MAX_NORM)
        scaler.step(optimizer)
        scaler.update()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
