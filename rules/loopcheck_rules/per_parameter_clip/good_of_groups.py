"""A helper walks over the groups of an optimizer with a limit for each group, and limits each group as a whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def limit_gradients(optimizer):
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], max_norm=group["limit"])


torch.manual_seed(0)
data = torch.randn(48, 5)
body, head = nn.Linear(5, 8), nn.Linear(8, 2)
groups = [{"params": body.parameters(), "limit": 0.01}, {"params": head.parameters(), "limit": 0.05}]
optimizer = torch.optim.SGD(groups, lr=0.5, momentum=0.9)
for x, y in DataLoader(TensorDataset(data, data[:, :2]), batch_size=8, shuffle=True):
    optimizer.zero_grad()
    (head(torch.relu(body(x))) - y).square().mean().backward()
    limit_gradients(optimizer)
    optimizer.step()
