"""The probabilities are for the report alone; the loss is given the logits that they were made of."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(60, 6), torch.randint(0, 3, (60,))
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
criterion = nn.CrossEntropyLoss()

for epoch in range(3):
    for inputs, labels in zip(x.split(20), y.split(20), strict=True):
        logits = model(inputs)
        loss = criterion(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sure = torch.softmax(logits, dim=1).max(dim=1).values.mean()
    print(f"epoch {epoch}: loss {loss.item():.4f}, mean confidence {sure.item():.2f}")
