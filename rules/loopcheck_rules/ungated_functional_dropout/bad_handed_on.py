"""The attention is a function of the file, which drops by the share that a forward hands it: in eval mode, too."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, width, attn_dropout):
        super().__init__()
        self.attn_dropout = attn_dropout
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        x = x + attention(q, k, v, mask, dropout_p=self.attn_dropout)  # bug
        return self.out(x)


def attention(q, k, v, mask=None, dropout_p=0.0):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = scores.softmax(dim=-1)
    if dropout_p > 0.0:
        weights = F.dropout(weights, p=dropout_p)
    return weights @ v


torch.manual_seed(0)
block = Block(8, 0.2)
optimizer = torch.optim.SGD(block.parameters(), lr=0.05)
data = torch.randn(24, 6, 8)
for epoch in range(2):
    block.train()
    for x in data.split(8):
        loss = (block(x[:, :-1]) - x[:, 1:]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    block.eval()
    with torch.no_grad():
        print(f"epoch {epoch}: {(block(data[:4, :-1]) - data[:4, 1:]).pow(2).mean().item():.4f}")
