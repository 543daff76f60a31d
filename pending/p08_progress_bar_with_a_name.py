"""The progress bar is bound to a name, to write the score beside it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

torch.manual_seed(0)
x = torch.randn(80, 5)
y = (x.sum(1) > 0).long()
train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=10, shuffle=True)
val_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(3):
    bar = tqdm(train_loader, disable=True)
    for a, b in bar:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(a), b)
        loss.backward()
        optimizer.step()
        bar.set_postfix(loss=loss.item())
    right = 0
    bar = tqdm(val_loader, disable=True)
    with torch.no_grad():
        for a, b in bar:
            right += (model(a).argmax(1) == b).sum().item()  # bug: missing-eval-mode
            bar.set_postfix(right=right)
    print(epoch, right / 20)
