"""The share of the attention is 0 outside training; a name stands between the two."""

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, dropout=0.1):
        super().__init__()
        self.dropout = dropout
        self.out = nn.Linear(8, 8)

    def forward(self, x):
        share = self.dropout if self.training else 0.0
        return self.out(F.scaled_dot_product_attention(x, x, x, dropout_p=share))


torch.manual_seed(0)
model = Attention()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(12, 4, 8)
for epoch in range(2):
    model.train()
    for batch in x.split(4):
        optimizer.zero_grad()
        loss = (model(batch) - batch).pow(2).mean()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(f"epoch {epoch}: {(model(x) - x).pow(2).mean().item():.4f}")
