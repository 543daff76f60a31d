"""Eval mode, and then only the dropout layers back on: batch norm must not see the test data."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
x = torch.randn(72, 5)
y = (x.prod(dim=1) > 0).long()
train_loader = DataLoader(TensorDataset(x[:48], y[:48]), batch_size=12, shuffle=True)
test_loader = DataLoader(TensorDataset(x[48:], y[48:]), batch_size=12)

model = nn.Sequential(nn.Linear(5, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Dropout(0.3), nn.Linear(20, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def enable_dropout(net):
    for layer in net.modules():
        if isinstance(layer, nn.Dropout):
            layer.train()


for epoch in range(2):
    model.train()
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()

    model.eval()
    enable_dropout(model)
    entropies = []
    with torch.no_grad():
        for inputs, _ in test_loader:
            votes = torch.stack([model(inputs.to(device)).softmax(1) for _ in range(4)])
            mean = votes.mean(0)
            entropies.append(-(mean * mean.log()).sum(1))
    print(f"epoch {epoch}: predictive entropy {torch.cat(entropies).mean().item():.4f}")
