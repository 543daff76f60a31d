"""An optimizer of one's own that sorts the parameters into lists, one by one, and clips a whole list."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Optimizer:
    def __init__(self, lr, max_norm):
        self.lr = lr
        self.max_norm = max_norm

    def take(self, named):
        self.dense, self.sparse = [], []
        for name, p in named:
            if p.requires_grad:
                if "embed" not in name:
                    self.dense.append(p)
                else:
                    self.sparse.append(p)
        self.inner = torch.optim.SGD(self.dense + self.sparse, lr=self.lr)

    def step(self):
        nn.utils.clip_grad_norm_(self.dense, self.max_norm)
        self.inner.step()


torch.manual_seed(0)
tokens = torch.randint(0, 12, (48, 5))
labels = tokens.sum(dim=1) % 3
model = nn.Sequential(nn.Embedding(12, 4), nn.Flatten(), nn.Linear(20, 3))
optimizer = Optimizer(0.1, 1.0)
optimizer.take(list(model.named_parameters()))
for x, y in DataLoader(TensorDataset(tokens, labels), batch_size=8, shuffle=True):
    model.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
