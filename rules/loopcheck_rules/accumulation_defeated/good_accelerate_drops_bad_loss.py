"""Accelerate: a micro-batch whose loss is no number ends its window with nothing, and no backward follows in it."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def broken(losses):
    return [name for name, loss in losses.items() if not torch.isfinite(loss)]


def train(accelerator, model, optimizer, loader):
    dropped = 0
    for inputs, targets in loader:
        with accelerator.accumulate(model):
            outputs = model(inputs)
            losses = {"squared": nn.functional.mse_loss(outputs, targets), "size": outputs.pow(2).mean()}
            loss = sum(losses.values())
            bad = broken(losses)
            if bad:
                dropped += 1
                optimizer.zero_grad(set_to_none=True)
            else:
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
    return dropped, loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_steps=2)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=6, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        print(epoch, *train(accelerator, model, optimizer, loader))
