"""What is optimized is one image, not a model: decay is the pull towards grey that the author wants."""

import torch
from torch import nn

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
network = nn.Sequential(nn.Conv2d(3, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 36, 5)).to(device)
network.requires_grad_(False)

image = torch.zeros(1, 3, 8, 8, device=device, requires_grad=True)
optimizer = torch.optim.AdamW([image], lr=0.1, weight_decay=0.05)
for i in range(20):
    optimizer.zero_grad()
    activation = network(image)[0, 3]
    (-activation).backward()
    optimizer.step()
print(f"activation {activation.item():.3f}, brightest pixel {image.max().item():.3f}")
