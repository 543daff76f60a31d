"""One function makes the loaders of both kinds, and is told which."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(80, 5)
y = (x.sum(1) > 0).long()
dataset = TensorDataset(x, y)


def get_iterator(dataset, training):
    part = range(60) if training else range(60, 80)
    return DataLoader(torch.utils.data.Subset(dataset, part), batch_size=10, shuffle=training)


model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(3):
    model.train()
    for a, b in get_iterator(dataset, training=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(a), b).backward()
        optimizer.step()
    right = 0
    for a, b in get_iterator(dataset, training=False):
        right += (model(a).argmax(1) == b).sum().item()  # bug: missing-eval-mode, missing-no-grad
    batches = get_iterator(dataset, training=False)
    loss = 0.0
    for a, b in batches:
        loss += nn.functional.cross_entropy(model(a), b).item()  # bug: missing-eval-mode, missing-no-grad
    print(epoch, right / 20, loss)
