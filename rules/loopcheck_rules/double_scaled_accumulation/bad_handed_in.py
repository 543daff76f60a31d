"""The function is handed an accelerator, and asks it for the number to divide by."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import GradientAccumulationPlugin
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(accelerator: Accelerator, model, optimizer, scheduler, loader):
    model.train()
    losses = []
    for images, labels in loader:
        with accelerator.accumulate(model):
            loss = F.cross_entropy(model(images), labels)
            losses.append(loss.item())
            loss /= accelerator.gradient_accumulation_steps
            accelerator.backward(loss)  # bug
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    return sum(losses) / len(losses)


def main():
    torch.manual_seed(0)
    accelerator = Accelerator(gradient_accumulation_plugin=GradientAccumulationPlugin(num_steps=3))
    model = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    loader = DataLoader(TensorDataset(torch.randn(24, 1, 4, 4), torch.randint(0, 2, (24,))), batch_size=4, shuffle=True)
    model, optimizer, scheduler, loader = accelerator.prepare(model, optimizer, scheduler, loader)
    for epoch in range(2):
        print(epoch, train_one_epoch(accelerator, model, optimizer, scheduler, loader))


if __name__ == "__main__":
    main()
