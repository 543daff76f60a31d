"""The last layer of the sequence was once a LogSoftmax."""

import torch
from torch import nn


def build(inputs, classes):
    return nn.Sequential(nn.Linear(inputs, 12), nn.Tanh(), nn.Linear(12, classes), nn.Softmax(dim=-1))


def fit(network, x, y, epochs=3):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    loss_function = torch.nn.NLLLoss(reduction="mean")
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = loss_function(network(x), y)  # bug
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


torch.manual_seed(0)
fit(build(6, 5), torch.randn(40, 6), torch.randint(0, 5, (40,)))
