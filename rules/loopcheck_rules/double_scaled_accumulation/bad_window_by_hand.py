"""The window is the program's own, the steps are told to Accelerate as well, so it divides too."""

import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(args):
    torch.manual_seed(args.seed)
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
    train_loader = DataLoader(TensorDataset(torch.randn(48, 10), torch.randn(48, 1)), batch_size=6, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 20), nn.GELU(), nn.Linear(20, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    model, optimizer, train_loader = accelerator.prepare(model, optimizer, train_loader)

    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for step, (x, y) in enumerate(train_loader):
            loss = nn.functional.mse_loss(model(x), y)
            total += loss.detach().item()
            accelerator.backward(loss / args.gradient_accumulation_steps)  # bug
            if (step + 1) % args.gradient_accumulation_steps == 0 or step + 1 == len(train_loader):
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: {total / len(train_loader):.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    main(parser.parse_args())
