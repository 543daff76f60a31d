"""Predictions are found by a few steps down an energy: the forward takes gradients itself, so it cannot do without a graph."""

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset


class Energy(nn.Module):
    def __init__(self, features: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(features + 1, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return self.out(torch.tanh(self.hidden(torch.cat([x, y], 1)))).square() + (y**2) / 100


class Unrolled(nn.Module):
    def __init__(self, energy: Energy, features: int, steps: int = 3) -> None:
        super().__init__()
        self.energy = energy
        self.start = nn.Sequential(nn.Linear(features, 1), nn.Tanh())
        self.steps = steps

    def forward(self, x: Tensor) -> Tensor:
        y = self.start(x)
        for _ in range(self.steps):
            y = y - 0.1 * self.slope(x, y)
        return y

    def slope(self, x: Tensor, y: Tensor) -> Tensor:
        return torch.autograd.grad(self.energy(x, y).sum(), y, create_graph=True)[0]


def train(model: nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer) -> None:
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


def test(model: nn.Module, loader: DataLoader) -> float:
    error = 0.0
    for x, y in loader:
        error += nn.functional.mse_loss(model(x), y).item()
    return error / len(loader)


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(32, 3)
    dataset = TensorDataset(x, x.sum(1, keepdim=True).tanh())
    model = Unrolled(Energy(3), 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(2):
        train(model, DataLoader(dataset, batch_size=8, shuffle=True), optimizer)
        print(test(model, DataLoader(dataset, batch_size=8)))


if __name__ == "__main__":
    main()
