"""Predictions are detached for a metric, and the loss is computed of these: backward raises."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
images = torch.rand(40, 1, 4, 4)
labels = (images.mean(dim=(1, 2, 3)) > 0.5).long()
train_loader = DataLoader(TensorDataset(images, labels), batch_size=10, shuffle=True)

net = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.0)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    correct = 0
    for inputs, targets in train_loader:
        inputs, targets = inputs.to(device), targets.to(device)
        logits = net(inputs).detach()
        correct += (logits.argmax(1) == targets).sum().item()
        loss = criterion(logits, targets)
        optimizer.zero_grad()
        loss.backward()  # bug
        optimizer.step()
    print(f"epoch {epoch}: accuracy {correct / len(images):.2f}")
