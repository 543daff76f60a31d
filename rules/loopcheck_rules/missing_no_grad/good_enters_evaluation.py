"""A class whose objects a `with` enters evaluates: eval mode and no graphs inside, whatever was before them behind it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Evaluation:
    def __init__(self, *models):
        self.models = models

    def __enter__(self):
        self.recorded = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        self.modes = [model.training for model in self.models]
        for model in self.models:
            model.train(False)

    def __exit__(self, *error):
        for model, mode in zip(self.models, self.modes):
            model.train(mode)
        torch.set_grad_enabled(self.recorded)


def accuracy(model, loader):
    with Evaluation(model):
        hits = 0
        for inputs, labels in loader:
            hits += (model(inputs).argmax(1) == labels).sum().item()
        return hits / len(loader.dataset)


def main():
    torch.manual_seed(0)
    x, y = torch.randn(80, 6), torch.randint(0, 3, (80,))
    train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=15, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=20)
    model = nn.Sequential(nn.Linear(6, 18), nn.BatchNorm1d(18), nn.ReLU(), nn.Linear(18, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    model.train()
    for epoch in range(3):
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(inputs), labels)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {accuracy(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
