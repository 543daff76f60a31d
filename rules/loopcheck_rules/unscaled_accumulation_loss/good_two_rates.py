"""The dense layers step on every batch; the table, touched by few words of each, on every fourth: no window, two rates."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
words = torch.randint(200, (96, 5))
loader = DataLoader(TensorDataset(words, (words[:, :1] % 2).float()), batch_size=8, shuffle=True)
table = nn.Embedding(200, 8)
dense = nn.Sequential(nn.Flatten(), nn.Linear(40, 16), nn.ReLU(), nn.Linear(16, 1))
table_optimizer = torch.optim.SGD(table.parameters(), lr=0.5)
dense_optimizer = torch.optim.Adam(dense.parameters(), lr=1e-2)

for epoch in range(3):
    for i, (tokens, labels) in enumerate(loader):
        loss = nn.functional.binary_cross_entropy_with_logits(dense(table(tokens)), labels)
        loss.backward()
        dense_optimizer.step()
        dense_optimizer.zero_grad()
        if (i + 1) % 4 == 0:
            table_optimizer.step()
            table_optimizer.zero_grad()
    print(epoch, loss.item())
