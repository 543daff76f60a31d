"""An updater that is handed the scaler, and unscales by it before it clips."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ENGINES = {}


def registered(cls):
    ENGINES[cls.__name__.lower()] = cls
    return cls


class Updater:
    """Makes one update of a network, clipped, with or without a scaler."""

    def __init__(self, network, optimizer, clip_norm):
        self.network = network
        self.optimizer = optimizer
        self.clip_norm = clip_norm

    def step(self, *, scaler=None):
        if self.clip_norm:
            if scaler is not None:
                scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.network.parameters(), self.clip_norm)
        if scaler is not None:
            scaler.step(self.optimizer)
            scaler.update()
        else:
            self.optimizer.step()


@registered
class Engine:
    def __init__(self, device):
        self.scaler = torch.amp.GradScaler(device)

    def __getitem__(self, name):
        return getattr(self, name)

    def losses(self, network, loader, optimizer, device):
        for x, y in loader:
            optimizer.zero_grad()
            with torch.autocast(device, dtype=torch.float16):
                loss = nn.functional.cross_entropy(network(x.to(device)), y.to(device))
            self.scaler.scale(loss).backward()
            yield loss.item()


def main(kind="engine"):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(48, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=12, shuffle=True)
    network = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2)).to(device)
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    parts = {"updater": Updater(network, optimizer, 1.0), "engine": ENGINES.get(kind)(device)}
    for name in sorted(parts, reverse=True)[:1]:
        for loss in parts["engine"]["losses"](network, loader, optimizer, device):
            parts[name].step(scaler=parts["engine"]["scaler"])
    print(f"{loss:.3f}")


if __name__ == "__main__":
    main()
