"""A factory with three ways out, unpacked by whoever calls it."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build(args):
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    if args.optimizer == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        return model, optimizer, torch.optim.lr_scheduler.StepLR(optimizer, 1)
    if args.optimizer == "rmsprop":
        optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
        return model, optimizer, torch.optim.lr_scheduler.ConstantLR(optimizer)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    return model, optimizer, torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--optimizer", default="sgd")
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(48, 4)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=12, shuffle=True)
    model, optimizer, scheduler = build(args)
    for epoch in range(3):
        scheduler.step()  # bug: scheduler-before-optimizer
        for a, b in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(a), b)
            loss.backward()
            optimizer.step()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # bug: clip-after-step
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
