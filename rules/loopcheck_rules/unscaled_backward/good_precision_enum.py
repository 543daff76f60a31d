"""Which precision it is says a member of an enumeration, asked in the method of the backward and in that of the step."""

from enum import Enum, auto

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Precision(Enum):
    FULL = auto()
    HALF = auto()


class Update:
    @staticmethod
    def backward(task, loss):
        task.optimizer.zero_grad()
        if task.precision == Precision.FULL:
            loss.backward()
        elif task.precision == Precision.HALF:
            task.scaler.scale(loss).backward()

    @staticmethod
    def step(task):
        if task.precision == Precision.HALF:
            task.scaler.step(task.optimizer)
            task.scaler.update()
        else:
            task.optimizer.step()

    def __call__(self, task):
        for x, y in task.loader:
            self.backward(task, nn.functional.cross_entropy(task.model(x), y))
            self.step(task)


class Task:
    def __init__(self, model, loader, precision, device="cpu"):
        self.model, self.loader, self.precision = model, loader, precision
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler(device) if precision == Precision.HALF else None


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(48, 6)
    data = TensorDataset(x, (x.sum(1) > 0).long())
    network = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
    Update()(Task(network, DataLoader(data, batch_size=12, shuffle=True), Precision.FULL))
