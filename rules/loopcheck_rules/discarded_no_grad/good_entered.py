"""Context managers that are entered: by a stack, by hand, as a decorator, under a name, and a switch that needs no `with`."""

from contextlib import ExitStack

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = torch.randn(80, 4)
labels = data.sum(dim=1, keepdim=True)
train_loader = DataLoader(TensorDataset(data[:64], labels[:64]), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(data[64:], labels[64:]), batch_size=8)
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def by_stack(net, loader):
    net.eval()
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        return [net(x).mean().item() for x, _ in loader]


def by_hand(net, loader):
    net.eval()
    context = torch.no_grad()
    context.__enter__()
    found = [net(x).mean().item() for x, _ in loader]
    context.__exit__(None, None, None)
    return found


@torch.inference_mode()
def decorated(net, loader):
    net.eval()
    return [net(x).mean().item() for x, _ in loader]


def switched(net, loader):
    net.eval()
    torch.set_grad_enabled(False)
    found = [net(x).mean().item() for x, _ in loader]
    torch.set_grad_enabled(True)
    return found


for epoch in range(2):
    net.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    for evaluate in (by_stack, by_hand, decorated, switched):
        print(epoch, evaluate(net, test_loader))
