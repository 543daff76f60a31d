"""A framework that takes the loader over keeps the order that it was made with."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, number):
        self.rows = torch.linspace(-1.0, 1.0, number)[:, None]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index], self.rows[index] ** 2


def main():
    accelerator = Accelerator(cpu=True)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loader = DataLoader(Rows(64), batch_size=16)  # bug
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for _epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
    accelerator.print(f"loss {loss.item():.4f}")


main()
