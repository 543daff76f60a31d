"""Whoever holds the weights of the lowest error begins with an error that every other is below."""

import torch
from torch import nn


class Keeper:
    def __init__(self, model):
        self.model = model
        self.lowest = float("inf")
        self.weights = None

    def see(self, error):
        if error < self.lowest:
            self.lowest = error
            self.weights = self.model.state_dict()  # bug

    def put_back(self):
        self.model.load_state_dict(self.weights)


def error_of(model, x, y):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(x), y).item()


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    y = x.sum(dim=1, keepdim=True) + torch.randn(64, 1)
    model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    keeper = Keeper(model)
    for _ in range(12):
        model.train()
        for inputs, targets in zip(x[:32].split(8), y[:32].split(8), strict=True):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), targets).backward()
            optimizer.step()
        keeper.see(error_of(model, x[32:], y[32:]))
    keeper.put_back()
    print(f"lowest error {keeper.lowest:.4f}, of the weights put back {error_of(model, x[32:], y[32:]):.4f}")


if __name__ == "__main__":
    main()
