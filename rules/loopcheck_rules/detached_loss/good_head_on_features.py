"""A head is trained on features that are cut from the backbone, and then a temperature on the logits that are cut from the head."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(64, 10)
loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=16, shuffle=True)
backbone = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
head = nn.Linear(32, 2)
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)

for epoch in range(2):
    for inputs, labels in loader:
        features = backbone(inputs).detach()
        loss = nn.functional.cross_entropy(head(features), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())

temperature = nn.Parameter(torch.ones(()))
calibration = torch.optim.SGD([temperature], lr=0.01)
for inputs, labels in loader:
    logits = head(backbone(inputs)).detach()
    loss = nn.functional.cross_entropy(logits / temperature, labels)
    calibration.zero_grad()
    loss.backward()
    calibration.step()
print(temperature.item())
