"""Dropout with `training=True` stays on in eval mode, where its draws are the uncertainty; batch norm is in eval mode as usual."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BayesianNet(nn.Module):
    def __init__(self, inputs, p=0.1):
        super().__init__()
        self.first = nn.Linear(inputs, 32)
        self.norm = nn.BatchNorm1d(32)
        self.second = nn.Linear(32, 1)
        self.p = p

    def forward(self, x):
        h = F.relu(self.norm(self.first(x)))
        h = F.dropout(h, self.p, training=True)  # in prediction too
        return self.second(h)


@torch.no_grad()
def evaluate(model, loader, draws=8):
    model.eval()
    error = spread = 0.0
    for x, y in loader:
        samples = torch.stack([model(x) for _ in range(draws)])
        error += (samples.mean(0) - y).square().sum().item()
        spread += samples.std(0).sum().item()
    return error / len(loader.dataset), spread / len(loader.dataset)


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(96, 4)
    y = x.abs().sum(1, keepdim=True)
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = BayesianNet(4)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(3):
        train(model, train_loader, optimizer)
        error, spread = evaluate(model, test_loader)
        print(f"epoch {epoch}: error {error:.3f} ± {spread:.3f}")
