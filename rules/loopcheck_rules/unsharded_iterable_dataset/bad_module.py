"""A class that makes the loaders of a program: one of them reads a table in two processes to measure, and counts it twice."""

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, TensorDataset


class Table(IterableDataset):
    def __init__(self, first, last):
        super().__init__()
        self.first, self.last = first, last

    def __iter__(self):
        for number in range(self.first, self.last):
            yield torch.tensor([number / 10.0, 1.0]), torch.tensor([number / 5.0])


class Data:
    def __init__(self, batch_size):
        self.batch_size = batch_size

    def train_loader(self):
        x = torch.rand(32, 2)
        return DataLoader(TensorDataset(x, 2 * x[:, :1]), self.batch_size, shuffle=True)

    def test_loader(self):
        return DataLoader(Table(0, 12), self.batch_size, num_workers=2)  # bug


def main():
    torch.manual_seed(0)
    data = Data(batch_size=4)
    model = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in data.train_loader():
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        errors = [nn.functional.mse_loss(model(x), y).item() for x, y in data.test_loader()]
    print(f"{len(errors)} batches, error {sum(errors) / len(errors):.4f}")


if __name__ == "__main__":
    main()
