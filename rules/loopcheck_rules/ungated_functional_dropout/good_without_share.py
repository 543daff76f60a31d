"""The attention that torch computes in one call is taken where the share is 0 alone: what drops is written out, as a layer."""

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, share):
        super().__init__()
        self.share = share
        self.fused = hasattr(F, "scaled_dot_product_attention") and self.share == 0.0
        self.drop = nn.Dropout(share)
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        if self.fused:
            return F.scaled_dot_product_attention(q, k, v, dropout_p=self.share)
        weights = F.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
        return self.drop(weights) @ v


def main():
    torch.manual_seed(0)
    model = nn.Sequential(Attention(8, 0.1), nn.Linear(8, 8), Attention(8, 0.0))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = [(torch.randn(4, 5, 8), torch.randn(4, 5, 8)) for _ in range(6)]
    for epoch in range(2):
        model.train()
        for x, y in data[:4]:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            held_out = sum(F.mse_loss(model(x), y).item() for x, y in data[4:])
        print(f"epoch {epoch}: {held_out:.3f}")


if __name__ == "__main__":
    main()
