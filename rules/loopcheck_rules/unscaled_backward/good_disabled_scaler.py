"""A disabled scaler passes the step on as it is; the loss needs no scaling, and the synchronisation context changes nothing."""

import contextlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@contextlib.contextmanager
def accumulate(model):
    """Stands in for the `no_sync` of a distributed wrapper."""
    sync = getattr(model, "no_sync", contextlib.nullcontext)
    with sync():
        yield


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Sequential(nn.Linear(7, 7), nn.ReLU(), nn.Linear(7, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler(device, enabled=False)
    loader = DataLoader(TensorDataset(torch.randn(42, 7), torch.randint(0, 2, (42,))), batch_size=14, shuffle=True)
    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            with accumulate(model):
                loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
                loss.backward()
            scaler.step(optimizer)
            scaler.update()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
