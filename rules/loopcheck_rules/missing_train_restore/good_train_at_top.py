"""evaluate() leaves the model in eval mode, and every training pass begins with train()."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    return sum((model(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(5, 15), nn.BatchNorm1d(15), nn.ReLU(), nn.Linear(15, 3))
    model = net
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
        model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x, y = torch.randn(60, 5), torch.randint(0, 3, (60,))
    train_loader = DataLoader(TensorDataset(x[:45], y[:45]), batch_size=15, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[45:], y[45:]), batch_size=15)
    for epoch in range(3):
        loss = train(model, train_loader, optimizer)
        accuracy = evaluate(net, val_loader)
        print(f"epoch {epoch}: loss {loss:.3f} accuracy {accuracy:.3f}")
    if dist.is_initialized():
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
