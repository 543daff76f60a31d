"""A cosine over all epochs, after a warm-up that takes the first of them."""

import argparse

import torch
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset


def train_one_epoch(model, loader, optimizer):
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--warmup-epochs", type=int, default=2)
    args = parser.parse_args()

    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(32, 5), torch.randint(2, (32,))), batch_size=8, shuffle=True)
    model = nn.Linear(5, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    main_scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=args.epochs, eta_min=1e-5)
    warmup_scheduler = lr_scheduler.LinearLR(optimizer, start_factor=0.01, total_iters=args.warmup_epochs)
    scheduler = lr_scheduler.SequentialLR(  # bug
        optimizer, schedulers=[warmup_scheduler, main_scheduler], milestones=[args.warmup_epochs]
    )
    for epoch in range(args.epochs):
        train_one_epoch(model, loader, optimizer)
        scheduler.step()
        print(f"epoch {epoch}: rate {scheduler.get_last_lr()[0]:.5f}")


main()
