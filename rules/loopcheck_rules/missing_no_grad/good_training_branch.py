"""The forward pass asks the model for its mode, and holds gradients off by itself where that is eval mode."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def forward_pass(model: nn.Module, x, y):
    if model.training:
        out = model(x)
    else:
        with torch.no_grad():
            out = model(x)
    return nn.functional.cross_entropy(out, y)


class Trainer:
    def __init__(self, model, train_data, dev_data):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.train_loader = DataLoader(train_data, batch_size=16, shuffle=True)
        self.dev_loader = DataLoader(dev_data, batch_size=16, drop_last=True)

    def train_epoch(self):
        self.model.train()
        for x, y in self.train_loader:
            loss = forward_pass(self.model, x, y)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()

    def validate(self):
        self.model.eval()
        total = 0.0
        for x, y in self.dev_loader:
            loss = forward_pass(self.model, x, y)
            total += loss.item()
        return total / len(self.dev_loader)

    def run(self, epochs):
        for epoch in range(epochs):
            self.train_epoch()
            print(f"epoch {epoch}: {self.validate():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(96, 8)
    y = (x[:, 0] > 0).long()
    network = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))
    Trainer(network, TensorDataset(x[:64], y[:64]), TensorDataset(x[64:], y[64:])).run(2)
