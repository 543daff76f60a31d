"""Heads are appended to a ModuleList, one for each task that is evaluated: a list that grows computes nothing."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Heads(nn.Module):
    def __init__(self, eval_tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.1))
        self.heads = nn.ModuleList([nn.Linear(16, 1)])
        for _ in eval_tasks[1:]:
            self.heads.append(nn.Linear(16, 1))

    def forward(self, x):
        hidden = self.trunk(x)
        return torch.cat([head(hidden) for head in self.heads], dim=1)


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 4)
    train_loader = DataLoader(TensorDataset(x[:40], x[:40].square()), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[40:], x[40:].square()), batch_size=10)
    model = Heads(["a", "b", "c", "d"])
    extra = nn.ModuleList([nn.Linear(4, 4)])
    for task in ["valid", "test"]:
        extra.append(nn.Linear(4, 4))
    optimizer = torch.optim.Adam([*model.parameters(), *extra.parameters()], lr=1e-2)
    for epoch in range(2):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a) + extra[0](a), b).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            print(epoch, sum(nn.functional.mse_loss(model(a), b).item() for a, b in val_loader))


if __name__ == "__main__":
    main()
