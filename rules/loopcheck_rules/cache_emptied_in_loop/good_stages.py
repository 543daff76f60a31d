"""Memory is given back with every third step, and where one network has been trained and another one begins."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fit(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    steps = 0
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(inputs), targets)
        loss.backward()
        optimizer.step()
        steps += 1
        if steps % 3 == 0:
            torch.cuda.empty_cache()
    return loss.item()


torch.manual_seed(0)
x = torch.randn(32, 8)
loader = DataLoader(TensorDataset(x, x.mean(dim=1, keepdim=True)), batch_size=8, shuffle=True)
first = fit(nn.Linear(8, 1), loader)
torch.cuda.empty_cache()
second = fit(nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1)), loader)
print(f"losses {first:.4f} and {second:.4f}")
