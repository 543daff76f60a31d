"""One head for each task in a dictionary, which the optimizer never hears of."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TASKS = {"age": 1, "kind": 3}


class MultiTask(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, width), nn.ReLU())
        self.heads = {task: nn.Sequential(nn.Linear(width, width), nn.Linear(width, size)) for task, size in TASKS.items()}  # bug
        self.scales = {"age": 0.1, "kind": 1.0}

    def forward(self, x):
        features = self.body(x)
        return {task: head(features) for task, head in self.heads.items()}


torch.manual_seed(0)
people = torch.randn(64, 5)
age, kind = people[:, :1] * 10 + 40, people[:, 1:4].argmax(dim=1)
model = MultiTask(8)
optimizer = torch.optim.AdamW([{"params": model.parameters(), "weight_decay": 0.0}], lr=1e-3)
for x, years, sort in DataLoader(TensorDataset(people, age, kind), batch_size=16, shuffle=True):
    optimizer.zero_grad()
    found = model(x)
    loss = nn.functional.mse_loss(found["age"], years) * model.scales["age"]
    loss = loss + nn.functional.cross_entropy(found["kind"], sort)
    loss.backward()
    optimizer.step()
