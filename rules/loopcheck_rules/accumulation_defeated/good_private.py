"""Each sample's gradient is limited and added to a sum of the program's own, of which noise hides any one of them."""

import torch
from torch import nn

torch.manual_seed(0)
points = torch.randn(64, 4)
labels = (points.sum(dim=1) > 0).long()
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for _ in range(3):
    for inputs, targets in zip(points.split(8), labels.split(8), strict=True):
        for weight in model.parameters():
            weight.summed = torch.zeros_like(weight)
        for sample, target in zip(inputs, targets, strict=True):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(sample[None]), target[None])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for weight in model.parameters():
                weight.summed += weight.grad
        for weight in model.parameters():
            weight.grad = (weight.summed + 0.1 * torch.randn_like(weight)) / len(inputs)
        optimizer.step()
    print(f"{loss.item():.4f}")
