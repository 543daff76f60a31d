"""Who goes on from a checkpoint trains at a rate of his own from then on: the warmup that was saved is over."""

import argparse
import os
import tempfile

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


def save(path, model, optimizer, scheduler, epoch):
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}
    torch.save({**state, "epoch": epoch}, path + ".new")
    os.replace(path + ".new", path)


def main(args):
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    loader = DataLoader(TensorDataset(x, x.abs().sum(dim=1, keepdim=True)), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 8))
    begin = 0
    if args.resume:
        checkpoint = torch.load(args.resume)
        begin = checkpoint["epoch"] + 1
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"] = args.lr
        scheduler = LambdaLR(optimizer, lambda step: 1.0)
    for epoch in range(begin, begin + 2):
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
            scheduler.step()
        save(args.out, model, optimizer, scheduler, epoch)
        print(f"epoch {epoch}: {loss.item():.4f} at {scheduler.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--resume", default="")
    parser.add_argument("--out", default=os.path.join(tempfile.mkdtemp(), "last.pt"))
    args = parser.parse_args()
    main(args)
    if not args.resume:
        args.resume, args.lr = args.out, 0.003
        main(args)
