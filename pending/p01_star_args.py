"""`timed` hands on whatever it is given."""

import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def timed(function, *args, **kwargs):
    began = time.perf_counter()
    result = function(*args, **kwargs)
    print(f"{function.__name__}: {time.perf_counter() - began:.2f} s")
    return result


def update(*parts):
    apply_update(*parts)


def apply_update(model, optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # bug: clip-after-step


def train_epoch(model, optimizer, loader):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        update(model, optimizer, loss)


def main():
    torch.manual_seed(0)
    x = torch.randn(40, 3)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=10, shuffle=True)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        timed(train_epoch, model, optimizer, loader)


if __name__ == "__main__":
    main()
