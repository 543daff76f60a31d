"""The attention that torch computes in one call, with the share that the network was made with: in eval mode, too."""

import torch
from torch import nn
from torch.nn import functional as F


class CausalSelfAttention(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads = heads
        self.dropout = dropout
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout, is_causal=True)  # bug
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


def main():
    torch.manual_seed(0)
    model = CausalSelfAttention(16, 2, 0.3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.0)
    data = torch.randn(24, 6, 16)
    for epoch in range(2):
        model.train()
        for x in data.split(8):
            loss = (model(x[:, :-1]) - x[:, 1:]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            print(f"epoch {epoch}: {(model(data[:4, :-1]) - data[:4, 1:]).pow(2).mean().item():.4f}")


if __name__ == "__main__":
    main()
