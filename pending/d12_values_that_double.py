"""Values that grow by half their own size are read in a moment; nobody counts to `10 ** 10 ** 8`."""

import sys

import torch
from torch import nn

torch.manual_seed(0)
x = torch.ones(4, 1)
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x + x
x = x / x.max()
pair = [1, 2]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
pair = [pair, pair]
text = "ab"
while len(sys.argv) > 50:
    text = text + text
if len(sys.argv) > 50:
    most = 10 ** 10 ** 8
    lots = "-" * 10 ** 10
model = nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(x), x).backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # bug: clip-after-step
