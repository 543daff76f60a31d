"""Accelerate: cleared ahead of `accumulate`, where gradients are in sync only if the micro-batch before has ended a window."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(accelerator, model, optimizer, loader):
    seen = 0
    for inputs, targets in loader:
        optimizer.zero_grad(set_to_none=True)
        with accelerator.accumulate(model):
            loss = nn.functional.mse_loss(model(inputs), targets)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        if accelerator.sync_gradients:
            seen += 1
    return seen, loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_steps=2)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=6, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        print(epoch, *train(accelerator, model, optimizer, loader))
