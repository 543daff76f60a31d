"""Each of two runs writes its state once, when it is over."""

import os
import tempfile

import torch
from torch import nn


def train(folder, name, epochs):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _epoch in range(epochs):
        for batch in torch.randn(32, 4).split(8):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(batch), batch.sum(dim=1, keepdim=True)).backward()
            optimizer.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, os.path.join(folder, name + ".pt"))


torch.manual_seed(0)
with tempfile.TemporaryDirectory() as folder:
    for name in ("short", "long"):
        train(folder, name, epochs=2)
    print(sorted(os.listdir(folder)))
