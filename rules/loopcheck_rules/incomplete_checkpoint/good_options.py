"""There is an option of a momentum, and nobody sets it: a run that goes on from the weights has lost nothing."""

import argparse
import tempfile
from pathlib import Path

import torch
from torch import nn


def main(args, folder):
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=args.momentum)
    start_epoch, best = 0, float("inf")
    if args.load is not None:
        checkpoint = torch.load(args.load)
        model.load_state_dict(checkpoint["state_dict"])
        start_epoch = checkpoint["epoch"]
        best = checkpoint["best"]

    for epoch in range(start_epoch, args.epochs):
        for batch in x.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
        best = min(best, loss.item())
        torch.save({"epoch": epoch + 1, "state_dict": model.state_dict(), "best": best}, folder / f"{epoch}.pt")
    print(f"best {best:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--momentum", type=float, default=0.0)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--load", default=None)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        main(args, Path(folder))
        args.load, args.epochs = Path(folder, "2.pt"), 5
        main(args, Path(folder))
