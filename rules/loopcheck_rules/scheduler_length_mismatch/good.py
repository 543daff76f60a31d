"""A warm-up over eight steps, and a cosine that takes over after four of them."""

import torch
from torch import nn
from torch.optim.lr_scheduler import CosineAnnealingLR, LinearLR, SequentialLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"

x, y = torch.randn(128, 6), torch.randint(3, (128,))
loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)

model = nn.Linear(6, 3).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
warmup = LinearLR(optimizer, start_factor=0.1, total_iters=8)
decay = CosineAnnealingLR(optimizer, T_max=16)
scheduler = SequentialLR(optimizer, [warmup, decay], milestones=[8])

for epoch in range(3):
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
        scheduler.step()
    print(f"epoch {epoch}: loss {loss.item():.3f}, next rate {optimizer.param_groups[0]['lr']:.3f}")
