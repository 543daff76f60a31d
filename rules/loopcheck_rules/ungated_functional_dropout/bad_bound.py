"""The share alone is given, positionally, and the function has a name of its own from an import."""

import torch
from torch import nn
from torch.nn.functional import dropout, relu


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(10, 10) for _ in range(2)])

    def encode(self, x):
        for layer in self.layers:
            x = dropout(relu(layer(x)), 0.2)  # bug
        return x

    def forward(self, x):
        return self.encode(x).mean(dim=-1)


torch.manual_seed(0)
encoder = Encoder()
optimizer = torch.optim.SGD(encoder.parameters(), lr=0.05)
x = torch.randn(30, 10)
for epoch in range(2):
    encoder.train()
    for batch in x.split(10):
        optimizer.zero_grad()
        loss = (encoder(batch) - batch.sum(dim=-1)).pow(2).mean()
        loss.backward()
        optimizer.step()
    encoder.eval()
    with torch.no_grad():
        error = (encoder(x) - x.sum(dim=-1)).pow(2).mean()
    print(f"epoch {epoch}: loss {loss.item():.4f}, held against all {error.item():.4f}")
