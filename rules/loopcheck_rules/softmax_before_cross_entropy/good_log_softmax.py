"""A network of log-probabilities: a softmax of their logarithms gives the probabilities back, so nothing is lost."""

import torch
from torch import nn
from torch.nn import functional as F


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 12)
        self.out = nn.Linear(12, 5)

    def forward(self, tokens):
        return F.log_softmax(self.out(self.embed(tokens)), dim=-1)


torch.manual_seed(0)
tagger = Tagger()
optimizer = torch.optim.Adam(tagger.parameters(), lr=0.01)
tokens = torch.randint(0, 30, (40, 7))
tags = tokens % 5
for epoch in range(3):
    for words, labels in zip(tokens.split(10), tags.split(10), strict=True):
        optimizer.zero_grad()
        loss = F.cross_entropy(tagger(words).view(-1, 5), labels.view(-1))
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
