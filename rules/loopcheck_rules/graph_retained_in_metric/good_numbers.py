"""What is summed up are numbers, or tensors that were cut from their graphs; what is right is counted, which has none."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(64, 5), torch.randint(0, 3, (64,))
model = nn.Linear(5, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()

for epoch in range(2):
    total, kept, correct, losses = 0.0, torch.zeros(()), 0, []
    for inputs, labels in zip(x.split(8), y.split(8), strict=True):
        optimizer.zero_grad()
        output = model(inputs)
        loss = criterion(output, labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
        kept += loss.detach()
        losses.append(float(loss.detach()))
        with torch.no_grad():
            total += loss * 0
        correct += output.max(1)[1].eq(labels).sum()
    print(f"epoch {epoch}: {total / 8:.4f} {kept / 8:.4f} {sum(losses) / 8:.4f}, {correct.item()} of 64")
