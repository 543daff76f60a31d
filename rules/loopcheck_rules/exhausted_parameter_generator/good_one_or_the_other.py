"""One generator, and two optimizers to choose from: it is used once, whichever is chosen. The clip has a list of its own."""

import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--optimizer", default="sgd")
args = parser.parse_args()

torch.manual_seed(0)
x, y = torch.randn(64, 8), torch.randn(64, 1)
model = nn.Linear(8, 1)
params = model.parameters()
if args.optimizer == "sgd":
    optimizer = torch.optim.SGD(params, lr=0.1)
else:
    optimizer = torch.optim.Adam(params, lr=0.1)

for step in range(10):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(tuple(model.parameters()), 1.0)
    optimizer.step()
print(f"{loss.item():.4f}")
