"""The wrapper around the optimizer knows the window and divides: the loop hands it each loss as it is."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class AccumulatingOptimizer:
    def __init__(self, optimizer, every):
        self.optimizer, self.every = optimizer, every
        self.calls = 0

    @property
    def is_boundary(self):
        return self.calls % self.every == 0

    def scale_loss(self, loss):
        return loss / self.every

    def backward(self, loss):
        self.scale_loss(loss).backward()
        self.calls += 1

    def step(self):
        if not self.is_boundary:
            return
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)


def fit(model, loader, engine, device, epochs):
    model.train()
    for epoch in range(epochs):
        running = 0.0
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            engine.backward(loss)
            engine.step()
            running += loss.item()
        print(f"epoch {epoch}: {running / len(loader):.4f}")


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 6)
    y = x[:, :2].prod(1, keepdim=True)
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 24), nn.Tanh(), nn.Linear(24, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    fit(model, loader, AccumulatingOptimizer(optimizer, every=4), device, epochs=3)


if __name__ == "__main__":
    main()
