"""A transformer that is written out here, without dropout: it is the same in both modes, whatever torch's own one is."""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class MultiheadAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = (each.unflatten(2, (self.heads, -1)).transpose(1, 2) for each in self.qkv(x).chunk(3, dim=2))
        found = F.scaled_dot_product_attention(q, k, v, dropout_p=0.0)
        return self.out(found.transpose(1, 2).flatten(2))


class Transformer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.attention = MultiheadAttention(dim, heads)

    def forward(self, x):
        return x + self.attention(self.norm(x))


class Tagger(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.embed = nn.Embedding(10, dim)
        self.body = Transformer(dim, 2)
        self.head = nn.Linear(dim, 3)

    def forward(self, x):
        return self.head(self.body(self.embed(x)))


def main():
    torch.manual_seed(0)
    texts = torch.randint(0, 10, (64, 5))
    train_loader = DataLoader(TensorDataset(texts, texts % 3), batch_size=16, shuffle=True)
    test_loader = DataLoader(TensorDataset(texts, texts % 3), batch_size=32)
    model = Tagger()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(2):
        for x, tags in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x).flatten(0, 1), tags.flatten()).backward()
            optimizer.step()
        right = 0
        with torch.no_grad():
            for x, tags in test_loader:
                right += (model(x).argmax(dim=2) == tags).sum().item()
        print(epoch, right)


if __name__ == "__main__":
    main()
