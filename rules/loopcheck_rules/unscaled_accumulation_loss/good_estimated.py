"""Gradients of several batches are added up to see which layers matter most; no step uses them."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def largest_gradients(model, run):
    run()
    sizes = {name: each.grad.norm().item() for name, each in model.named_parameters()}
    for module in model.modules():
        module.zero_grad()
    return max(sizes, key=sizes.get)


def main(args):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    loader = DataLoader(data, batch_size=8, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def run():
        numbers = iter(loader)
        for _ in range(args.grad_batches):
            x, y = next(numbers)
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()

    print(largest_gradients(model, run))
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()


main(argparse.Namespace(grad_batches=4))
