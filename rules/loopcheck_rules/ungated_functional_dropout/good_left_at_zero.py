"""The attention has a layer for its share, which every network of the program leaves at 0: nothing is ever dropped."""

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width, heads, share=0.0):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.drop = nn.Dropout(share)

    def forward(self, x):
        count, length, width = x.shape
        qkv = self.qkv(x).view(count, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, dropout_p=self.drop.p)
        return mixed.transpose(1, 2).reshape(count, length, width)


class Block(nn.Module):
    def __init__(self, width, heads, share=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = Attention(width, heads, share=share)

    def forward(self, x):
        return x + self.attention(self.norm(x))


def main():
    torch.manual_seed(0)
    model = nn.Sequential(Block(8, 2), Block(8, 4), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = [(torch.randn(4, 5, 8), torch.randn(4, 5, 1)) for _ in range(6)]
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
