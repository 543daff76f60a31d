"""Two losses of one network: the one of overlap is given probabilities, the one of pixels logits."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
images = torch.randn(24, 1, 8, 8)
masks = (images > 0.5).float()
net = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 1, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

for epoch in range(3):
    for image, mask in zip(images.split(8), masks.split(8), strict=True):
        logits = net(image)
        mask_of = torch.sigmoid(logits)
        overlap = 2 * (mask_of * mask).sum() / (mask_of.sum() + mask.sum() + 1)
        loss = F.binary_cross_entropy_with_logits(logits, mask) + 1 - overlap
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
