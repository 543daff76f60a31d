"""Predictions of a test set, by a function with a docstring, comments and `no_grad` by its bare name."""

import torch
from torch import nn, no_grad
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = torch.randn(80, 4)
labels = (data[:, 0] > 0).float()
train_loader = DataLoader(TensorDataset(data[:64], labels[:64]), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(data[64:], labels[64:]), batch_size=8)
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def predict(net, loader):
    """The share of each class."""
    no_grad()  # bug

    net.eval()
    found = []
    for x, _ in loader:
        # probabilities, not logits
        found.append(torch.sigmoid(net(x)).squeeze(1).tolist())
    net.train()
    return found


for epoch in range(2):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
print(predict(net, test_loader))
