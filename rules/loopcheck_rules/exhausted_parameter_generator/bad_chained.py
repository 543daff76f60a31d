"""The parameters of two networks in one chain, for the optimizer and for the clip."""

import itertools

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(64, 8)
encoder, decoder = nn.Linear(8, 2), nn.Linear(2, 8)
parameters = itertools.chain(encoder.parameters(), decoder.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.1)

for step in range(10):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(decoder(encoder(x)), x)
    loss.backward()
    nn.utils.clip_grad_value_(parameters, 0.5)  # bug
    optimizer.step()
print(f"{loss.item():.4f}")
