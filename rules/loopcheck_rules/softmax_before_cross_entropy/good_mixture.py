"""A mixture of experts: the gate's probabilities weigh the experts' logits, and their sum is what the loss is given."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
x, y = torch.randn(64, 5), torch.randint(0, 4, (64,))
gate = nn.Linear(5, 2)
experts = nn.ModuleList([nn.Linear(5, 4), nn.Linear(5, 4)])
optimizer = torch.optim.Adam([*gate.parameters(), *experts.parameters()], lr=0.01)
criterion = nn.CrossEntropyLoss()

for epoch in range(3):
    for inputs, labels in zip(x.split(16), y.split(16), strict=True):
        share = F.softmax(gate(inputs), dim=1)
        logits = share[:, :1] * experts[0](inputs) + share[:, 1:] * experts[1](inputs)
        loss = criterion(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
