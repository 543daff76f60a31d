"""A constant loss scale, written by hand: the gradients are divided by it before the step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SCALE = 512.0

torch.manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
dataset = TensorDataset(torch.randn(40, 10), torch.randint(0, 2, (40,)))

for epoch in range(2):
    for x, y in DataLoader(dataset, batch_size=10, shuffle=True):
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        (loss * SCALE).backward()
        for parameter in model.parameters():
            parameter.grad.div_(SCALE)
        optimizer.step()
    print(epoch, loss.item())
