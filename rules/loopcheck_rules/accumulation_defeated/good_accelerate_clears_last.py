"""Accelerate: cleared after the step, or at the top where nothing accumulates."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accumulating(accelerator, model, optimizer, loader):
    for inputs, targets in loader:
        with accelerator.accumulate(model):
            loss = nn.functional.mse_loss(model(inputs), targets)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    return loss.item()


def plain(accelerator, model, optimizer, loader):
    for inputs, targets in loader:
        with accelerator.accumulate(model):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            accelerator.backward(loss)
            optimizer.step()
    return loss.item()


def run(train, **options):
    torch.manual_seed(0)
    accelerator = Accelerator(**options)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=6, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        print(train.__name__, epoch, train(accelerator, model, optimizer, loader))


if __name__ == "__main__":
    run(accumulating, gradient_accumulation_steps=2)
    run(plain, gradient_accumulation_steps=1)
