"""Whether the graph of an evaluation is kept is what the program is asked for: saliency needs it, a score does not."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader, keep_graph):
    model.eval()
    outputs = []
    with torch.set_grad_enabled(keep_graph):
        for x, _ in loader:
            outputs.append(model(x))
    return outputs


torch.manual_seed(0)
x = torch.randn(48, 4)
y = x.sum(dim=1, keepdim=True)
model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for inputs, targets in DataLoader(TensorDataset(x[:32], y[:32]), batch_size=8, shuffle=True):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(inputs), targets).backward()
    optimizer.step()
test_loader = DataLoader(TensorDataset(x[32:], y[32:]), batch_size=8)
print(torch.cat(evaluate(model, test_loader, bool(os.environ.get("SALIENCY")))).mean().item())
