"""One helper both clips and measures: called before the step with a limit, after it with none."""

import math
from typing import Optional

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def grad_norm(parameters, clip: Optional[float] = None) -> float:
    """Total norm of the gradients; they are clipped only where a limit is given."""
    parameters = [p for p in parameters if p.grad is not None]
    if clip is None:
        return math.sqrt(sum(p.grad.detach().pow(2).sum().item() for p in parameters))
    return torch.nn.utils.clip_grad_norm_(parameters, clip).item()


torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1)).to(device)
sgd = torch.optim.SGD(model.parameters(), lr=0.02)

inputs = torch.randn(60, 5)
values = inputs.pow(2).sum(1, keepdim=True)
batches = DataLoader(TensorDataset(inputs, values), batch_size=15, shuffle=True)

for epoch in range(2):
    for a, b in batches:
        loss = nn.functional.smooth_l1_loss(model(a.to(device)), b.to(device))
        sgd.zero_grad()
        loss.backward()
        before = grad_norm(model.parameters(), clip=0.5)
        sgd.step()
        after = grad_norm(model.parameters())
    print(f"epoch {epoch}: {before:.3f} -> {after:.3f}")
