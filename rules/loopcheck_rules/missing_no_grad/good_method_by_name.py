"""What is learned with few examples is chosen by a name: one adapts the network in its evaluation, the other does without a graph."""

import argparse
import importlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Adapted(nn.Module):
    """The network after one step on what it is shown."""

    def forward(self, model, shown, asked):
        loss = nn.functional.mse_loss(model(shown[0]), shown[1])
        gradients = torch.autograd.grad(loss, list(model.parameters()), create_graph=self.training)
        weights = [each - 0.1 * gradient for each, gradient in zip(model.parameters(), gradients)]
        return nn.functional.linear(asked, *weights)


class Plain(nn.Module):
    """The network as it is."""

    def forward(self, model, shown, asked):
        with torch.set_grad_enabled(self.training):
            return model(asked)


def evaluate(loader, method, model):
    model.eval()
    method.eval()
    total = 0.0
    for x, y in loader:
        total += (method(model, (x[:2], y[:2]), x[2:]) - y[2:]).abs().mean().item()
    model.train()
    method.train()
    return total / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--method", default="Adapted")
    args = parser.parse_args()
    torch.manual_seed(0)
    method = getattr(importlib.import_module(__name__), args.method)()
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(96, 4)
    data = TensorDataset(x, x.sum(dim=1, keepdim=True))
    loader, val_loader = DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, batch_size=8)
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(method(model, (x[:2], y[:2]), x[2:]), y[2:]).backward()
            optimizer.step()
        print(f"epoch {epoch}: {evaluate(val_loader, method, model):.4f}")


if __name__ == "__main__":
    main()
