"""Windows of one long series come one after the other, on purpose, and a loader that is told not to shuffle does not."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class SeriesWindows(Dataset):
    def __init__(self, series, size):
        self.series, self.size = series, size

    def __len__(self):
        return len(self.series) - self.size

    def __getitem__(self, index):
        return self.series[index : index + self.size], self.series[index + self.size]


class Steps(Dataset):
    def __init__(self, number):
        self.values = torch.linspace(0.0, 1.0, number)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, index):
        return self.values[index].expand(4), self.values[index]


def fit(loader):
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    for _ in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x).squeeze(1), y)
            loss.backward()
            optimizer.step()
    return loss.item()


print(f"loss {fit(DataLoader(SeriesWindows(torch.sin(torch.arange(60) / 5.0), 4), batch_size=8)):.4f}")
print(f"loss {fit(DataLoader(Steps(32), batch_size=8, shuffle=False)):.4f}")
