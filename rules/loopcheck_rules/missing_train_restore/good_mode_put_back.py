"""Evaluates in the middle of an epoch and puts back the mode that the model was in, by hand and by an exit stack."""

from contextlib import ExitStack

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(model, loader):
    device = next(model.parameters()).device
    was_training = model.training
    model.eval()
    with torch.no_grad():
        losses = [F.cross_entropy(model(x.to(device)), y.to(device)).item() for x, y in loader]
    model.train(was_training)
    return sum(losses) / len(losses)


def accuracy(model, loader):
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.callback(model.train, model.training)
        model.eval()
        hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(160, 10)
    y = (x[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:128], y[:128]), batch_size=32, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[128:], y[128:]), batch_size=32)
    model = nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for epoch in range(2):
        for step, (inputs, labels) in enumerate(train_loader):
            loss = F.cross_entropy(model(inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % 2 == 1:
                print(f"epoch {epoch}, step {step}: {evaluate(model, val_loader):.4f}")
        print(f"epoch {epoch}: {accuracy(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
