"""A pass is a whole number of windows: what does not fill a batch is dropped, and what is left makes twelve of them."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

BATCH_SIZE = 8
WINDOW = 4

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x, y = torch.randn(100, 6), torch.randint(0, 3, (100,))
loader = DataLoader(TensorDataset(x, y), BATCH_SIZE, shuffle=True, drop_last=True)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(3):
    optimizer.zero_grad()
    for i, (inputs, labels) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device)) / WINDOW
        loss.backward()
        if (i + 1) % WINDOW == 0:
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, loss.item() * WINDOW)
