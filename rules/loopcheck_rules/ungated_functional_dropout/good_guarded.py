"""The function is called where the network trains, and nowhere else."""

import torch
from torch import nn
from torch.nn import functional as F


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(20, 8), nn.Linear(8, 4)

    def forward(self, tokens):
        x = self.embed(tokens)
        if self.training:
            x = F.dropout(x, 0.3)
        return self.out(x)


torch.manual_seed(0)
tagger = Tagger()
optimizer = torch.optim.SGD(tagger.parameters(), lr=0.1)
tokens = torch.randint(0, 20, (24, 5))
for epoch in range(2):
    tagger.train()
    for batch in tokens.split(8):
        optimizer.zero_grad()
        loss = F.cross_entropy(tagger(batch).transpose(1, 2), batch % 4)
        loss.backward()
        optimizer.step()
    tagger.eval()
    with torch.no_grad():
        right = (tagger(tokens).argmax(dim=-1) == tokens % 4).float().mean()
    print(f"epoch {epoch}: loss {loss.item():.4f}, right {right.item():.2f}")
