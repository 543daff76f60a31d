"""A wrapper sets the rate where it steps, and hands everything else on to the optimizer that it holds, `zero_grad` among it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RatedOptimizer:
    def __init__(self, optimizer, warmup):
        self.optimizer = optimizer
        self.warmup = warmup
        self.steps = 0

    def step(self):
        self.steps += 1
        for group in self.optimizer.param_groups:
            group["lr"] = 0.1 * min(1.0, self.steps / self.warmup)
        self.optimizer.step()

    def __getattr__(self, name):
        return getattr(self.optimizer, name)


def main():
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(40, 5), torch.randn(40, 1)), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 10), nn.ReLU(), nn.Linear(10, 1))
    optimizer = RatedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1), warmup=4)
    for epoch in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
