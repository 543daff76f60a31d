"""A back end is chosen by its name, and hands back the schedule that it was given, as it is or wrapped; no file has its state."""

import argparse
import tempfile
from pathlib import Path

import torch
from torch import nn


class Backend:
    NAME = ""

    def distribute(self, **given):
        return self._distribute(**given)

    def _distribute(self, model=None, optimizer=None, scheduler=None):
        raise NotImplementedError

    def is_root(self):
        raise NotImplementedError


class Alone(Backend):
    NAME = "Alone"

    def _distribute(self, model=None, optimizer=None, scheduler=None):
        return model, optimizer, scheduler

    def is_root(self):
        return True


class Replicas(Alone):
    NAME = "Replicas"

    def _distribute(self, model=None, optimizer=None, scheduler=None):
        return nn.DataParallel(model), optimizer, scheduler


BACKENDS = [Alone(), Replicas()]


def choose(name):
    for each in BACKENDS:
        if each.NAME.lower() == name:
            return each
    raise ValueError("no such back end")


def main(args, folder):
    torch.manual_seed(0)
    backend = choose(args.backend.lower())
    net = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
    start = 0
    if args.load is not None:
        checkpoint = torch.load(args.load)
        net.load_state_dict(checkpoint["weights"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["epoch"]
    wrapped, optimizer, scheduler = backend.distribute(model=net, optimizer=optimizer, scheduler=scheduler)

    def save(epoch):
        state = {"epoch": epoch + 1}
        if isinstance(backend, Replicas):
            state = {**state, "replicas": torch.cuda.device_count()}
        if not backend.is_root():
            return
        state = {**state, "weights": net.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(state, folder / f"{epoch}.pt")  # bug

    for epoch in range(start, args.epochs):
        for batch in torch.randn(32, 4).split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(wrapped(batch), batch.sum(dim=1, keepdim=True))
            loss.backward()
            optimizer.step()
        scheduler.step()
        save(epoch)
    print(f"loss {loss.item():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", default="alone")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--load", default=None)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        main(args, Path(folder))
        args.load, args.epochs = Path(folder, "2.pt"), 5
        main(args, Path(folder))
