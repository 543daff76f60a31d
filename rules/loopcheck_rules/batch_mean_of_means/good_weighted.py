"""Means over samples, each written in its own way: weighted before they are added, summed by the criterion, told to a meter with
their number, computed of all outputs at once; and what a progress bar shows of training.
"""

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset


class Meter:
    def __init__(self):
        self.sum, self.count = 0.0, 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


def validate(model, val_loader):
    model.eval()
    running, seen = 0.0, 0
    meter, accuracy = Meter(), Meter()
    outputs, targets = [], []
    with torch.no_grad():
        for x, y in val_loader:
            output = model(x)
            loss = F.cross_entropy(output, y)
            meter.update(loss.item(), len(x))
            accuracy.update((output.argmax(1) == y).float().mean().item(), len(x))
            loss = loss * len(x)
            running += loss.item()
            seen += len(x)
            outputs.append(output)
            targets.append(y)
    whole = F.cross_entropy(torch.cat(outputs), torch.cat(targets))
    return running / seen, meter.sum / meter.count, whole.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(70, 6)
    y = (x[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:50], y[:50]), batch_size=8, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[50:], y[50:]), batch_size=8)
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        model.train()
        total = 0.0
        for step, (inputs, labels) in enumerate(train_loader):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(inputs), labels)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(train_loader), *validate(model, val_loader))


main()
