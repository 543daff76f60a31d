"""The schedule is one of seven, which a helper makes of the optimizer: the one with a length counts the micro-batches that are sat out."""

import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.optim.lr_scheduler import ConstantLR, ExponentialLR, LambdaLR, MultiplicativeLR, PolynomialLR, StepLR
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--max_train_steps", type=int, default=24)
parser.add_argument("--gradient_accumulation_steps", type=int, default=4)
parser.add_argument("--optimizer", default="sgd")
parser.add_argument("--schedule", default="polynomial")
args = parser.parse_args()


def make_optimizer(parameters):
    if args.optimizer == "adagrad":
        return torch.optim.Adagrad(parameters, lr=0.001)
    if args.optimizer == "rmsprop":
        return torch.optim.RMSprop(parameters, lr=0.001)
    return torch.optim.SGD(parameters, lr=0.1)


def make_schedule(optimizer, processes):
    length = args.max_train_steps * processes * args.gradient_accumulation_steps
    if args.schedule == "constant":
        return ConstantLR(optimizer, 1.0)
    if args.schedule == "exponential":
        return ExponentialLR(optimizer, 0.99)
    if args.schedule == "sqrt":
        return LambdaLR(optimizer, lambda done: (done + 1) ** -0.5)
    if args.schedule == "stairs":
        return StepLR(optimizer, 10)
    if args.schedule == "falling":
        return MultiplicativeLR(optimizer, lambda done: 0.99)
    if args.schedule == "steep":
        return ExponentialLR(optimizer, 0.9)
    return PolynomialLR(optimizer, total_iters=length)  # bug


torch.manual_seed(0)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=args.gradient_accumulation_steps)
loader = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=4, shuffle=True)
model = nn.Linear(8, 1)
optimizer = make_optimizer(model.parameters())
lr_scheduler = make_schedule(optimizer, accelerator.num_processes)
model, optimizer, loader, lr_scheduler = accelerator.prepare(model, optimizer, loader, lr_scheduler)

done = 0
while done < args.max_train_steps:
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = nn.functional.mse_loss(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
            lr_scheduler.step()
            optimizer.zero_grad()
        done += accelerator.sync_gradients
accelerator.print(f"loss {loss.item():.4f} lr {lr_scheduler.get_last_lr()[0]:.4f}")
