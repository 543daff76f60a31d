"""The loss is added under `no_grad`, to a number that has no graph: nothing is recorded, and the meter takes in no graph."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Mean:
    def __init__(self) -> None:
        self.total = torch.tensor(0.0)
        self.number = 0

    def update(self, value: torch.Tensor) -> None:
        self.total += value.cpu()
        self.number += 1


def train(model: nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer, accumulate: int) -> float:
    mean = Mean()
    window_loss = torch.tensor(0.0)
    for number, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y) / accumulate
        with torch.no_grad():
            window_loss += loss
        loss.backward()
        if (number + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()
            mean.update(window_loss / accumulate)
            window_loss.zero_()
    return mean.total.item() / mean.number


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(80, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(2):
        print(f"epoch {epoch}: loss {train(model, loader, optimizer, 2):.4f}")


if __name__ == "__main__":
    main()
