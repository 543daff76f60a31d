"""A back end is chosen by its name, and makes what it hands back with a module of its choice; where it is asked for, it is told."""

import argparse
from importlib import import_module

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Backend:
    NAME = ""
    MODULE = "torch"
    module = None

    def has_backend(self):
        try:
            self.module = import_module(self.MODULE)
        except ModuleNotFoundError:
            return False
        return True

    def distribute(self, model=None, optimizer=None, data=None, scheduler=None, **options):
        assert self.module is not None, "has_backend() comes first"
        return self._distribute(model, optimizer, data, scheduler, **options)

    def _distribute(self, model=None, optimizer=None, data=None, scheduler=None, **options):
        raise NotImplementedError


class Alone(Backend):
    NAME = "Alone"

    def _distribute(self, model=None, optimizer=None, data=None, scheduler=None, **_options):
        return model, optimizer, data, scheduler


class Replicas(Backend):
    NAME = "Replicas"
    MODULE = "torch.utils.data"

    def _distribute(self, model=None, optimizer=None, data=None, scheduler=None, **options):
        sampler = self.module.distributed.DistributedSampler(data, num_replicas=2, rank=0)
        return nn.DataParallel(model), optimizer, self.module.DataLoader(data, sampler=sampler, **options), scheduler


_DEFAULT = Alone()
BACKENDS = [_DEFAULT, Replicas()]
backend = None


def choose(args):
    global backend

    if not args.backend:
        backend = _DEFAULT
        backend.has_backend()
        return backend
    for each in BACKENDS:
        if each.NAME.lower() == args.backend.lower():
            backend = each
            if not backend.has_backend():
                raise ModuleNotFoundError(f"{backend.NAME} was chosen, but {backend.MODULE} is not there")
            return backend
    raise ValueError("no such back end")


def using(kind):
    assert backend is not None, "choose() comes first"
    if isinstance(kind, str):
        return backend.NAME == kind
    return isinstance(backend, kind)


parser = argparse.ArgumentParser()
parser.add_argument("--backend", default="replicas")
parser.add_argument("--lr-decay", action="store_true")
args = parser.parse_args()
chosen = choose(args)

torch.manual_seed(0)
x = torch.randn(48, 4)
dataset = TensorDataset(x, x.sum(dim=1, keepdim=True))
net = nn.Linear(4, 1)
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
if args.lr_decay:
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)

(net, optimizer, loader, scheduler) = chosen.distribute(
    model=net,
    optimizer=optimizer,
    data=dataset if using(Replicas) else DataLoader(dataset, batch_size=8, shuffle=True),
    scheduler=scheduler if args.lr_decay else None,
    batch_size=8,
)
for epoch in range(3):
    if using(Replicas):
        loader.sampler.set_epoch(epoch)
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(inputs), targets)
        loss.backward()
        optimizer.step()
    if args.lr_decay:
        scheduler.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
