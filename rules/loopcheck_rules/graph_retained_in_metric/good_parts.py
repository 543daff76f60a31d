"""The parts of one batch's loss are summed up in the pass itself, over heads and over steps of a sequence."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
sequences, labels = torch.randn(32, 5, 4), torch.randint(0, 2, (32, 3))
cell, heads = nn.GRUCell(4, 8), nn.ModuleList(nn.Linear(8, 2) for _ in range(3))
optimizer = torch.optim.Adam([*cell.parameters(), *heads.parameters()], lr=0.01)


def batch_loss(sequence, label):
    hidden, losses = None, []
    for step in range(sequence.shape[1]):
        hidden = cell(sequence[:, step], hidden)
        losses.append(hidden.pow(2).mean())
    loss = 0.01 * sum(losses)
    for number, head in enumerate(heads):
        loss += F.cross_entropy(head(hidden), label[:, number])
    return loss


for epoch in range(2):
    mean = 0.0
    for sequence, label in zip(sequences.split(8), labels.split(8), strict=True):
        optimizer.zero_grad()
        loss = batch_loss(sequence, label)
        loss.backward()
        optimizer.step()
        mean += loss.item() / 4
    print(f"epoch {epoch}: {mean:.4f}")
