"""A tagger's scores are made probabilities for decoding, and the loss of each position is taken of them."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
encoder = nn.Embedding(20, 8)
head = nn.Linear(8, 4)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.2)
tokens = torch.randint(0, 20, (36, 5))
tags = tokens % 4

for epoch in range(3):
    for words, wanted in zip(tokens.split(12), tags.split(12), strict=True):
        probabilities = torch.softmax(head(encoder(words)), dim=-1)
        loss = F.nll_loss(probabilities.view(-1, 4), wanted.view(-1))  # bug
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
