"""Accelerate where it is asked for: each way has the backward that belongs to it."""

import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, optimizer, loader, accelerator=None, epochs=2):
    if accelerator is not None:
        model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    model.train()
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            if accelerator is not None:
                accelerator.backward(loss)
            else:
                loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain", action="store_true")
    args = parser.parse_args()
    torch.manual_seed(0)
    net = nn.Linear(8, 1)
    sgd = torch.optim.SGD(net.parameters(), lr=0.05)
    batches = DataLoader(TensorDataset(torch.randn(32, 8), torch.randn(32, 1)), batch_size=8, shuffle=True)
    train(net, sgd, batches, accelerator=None if args.plain else Accelerator())
