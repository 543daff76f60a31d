"""A trainer whose helper walks over named parameters, those with a gradient."""

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, max_norm):
        self.model = model
        self.max_norm = max_norm
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

    def limit(self):
        clip_grad_norm_(self.model.parameters(), self.max_norm)

    def fit(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.limit()
            self.optimizer.step()


torch.manual_seed(0)
data = torch.randn(64, 4)
network = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
Trainer(network, 0.05).fit(DataLoader(TensorDataset(data, data[:, :3].argmax(dim=1)), batch_size=16, shuffle=True))
