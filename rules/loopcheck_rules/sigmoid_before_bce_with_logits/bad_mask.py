"""Segmentation: the mask is made once, for the picture and for the loss, and weighted for rare pixels."""

import torch
from torch import nn

torch.manual_seed(0)
images = torch.randn(24, 1, 8, 8)
masks = (images > 0.8).float()
net = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
bce = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(4.0))

for epoch in range(3):
    for image, mask in zip(images.split(8), masks.split(8), strict=True):
        predicted = net(image).sigmoid()
        loss = bce(predicted, mask)  # bug
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        covered = (predicted > 0.5).float().mean()
    print(f"epoch {epoch}: loss {loss.item():.4f}, covered {covered.item():.3f}")
