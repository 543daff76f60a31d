"""Two networks under one name: the first has no mode to be put into, and the second, with dropout, is put into it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = torch.randn(64, 4)
labels = data[:, :3].argmax(dim=1)
train_loader = DataLoader(TensorDataset(data[:48], labels[:48]), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(data[48:], labels[48:]), batch_size=16)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    with torch.no_grad():
        right = sum((model(x).argmax(dim=1) == y).sum().item() for x, y in test_loader)
    print(f"without dropout: {right} of 16")


class Classifier(nn.Module):  # noqa: F811
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 8)
        self.dropout = nn.Dropout(0.2)
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        return self.out(self.dropout(torch.relu(self.hidden(x))))


model = Classifier()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(2):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = sum((model(x).argmax(dim=1) == y).sum().item() for x, y in test_loader)
    print(f"with dropout: {right} of 16")
