"""Accelerate's optimizer clears where it steps, on the last micro-batch: at the top of the block that is one backward too early."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(epochs=2):
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_steps=4)
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2)
    loader = DataLoader(TensorDataset(torch.randn(96, 10), torch.randint(0, 3, (96,))), batch_size=8, shuffle=True)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    for epoch in range(epochs):
        for inputs, targets in loader:
            with accelerator.accumulate(model):
                optimizer.zero_grad()  # bug
                loss = nn.functional.cross_entropy(model(inputs), targets)
                accelerator.backward(loss)
                optimizer.step()
                scheduler.step()
        accelerator.print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
