"""The schedule is made longer by the micro-batches of a window, which Accelerate's scheduler sits out: a quarter of it is used."""

import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--max_train_steps", type=int, default=24)
parser.add_argument("--gradient_accumulation_steps", type=int, default=4)
args = parser.parse_args()

torch.manual_seed(0)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.gradient_accumulation_steps)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=4, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
length = args.max_train_steps * accelerator.num_processes * args.gradient_accumulation_steps
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=length)  # bug
model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)

done = 0
while done < args.max_train_steps:
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = nn.functional.mse_loss(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        done += accelerator.sync_gradients
accelerator.print(f"loss {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.4f}")
