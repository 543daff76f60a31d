"""A classifier that never learns: its gradients are cleared just before they would be used."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

inputs = torch.randn(96, 10)
classes = inputs[:, :4].argmax(dim=1)
loader = DataLoader(TensorDataset(inputs, classes), batch_size=24, shuffle=True)

model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 4)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(3):
    for x, target in loader:
        output = model(x.to(device))
        loss = criterion(output, target.to(device))
        loss.backward()
        optimizer.zero_grad()  # bug
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
