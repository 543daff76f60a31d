"""Validation overrides a method of the base class, which calls it as it is."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, train_loader, val_loader):
        self.model = model
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            self._train_epoch()
            accuracy = self._valid_epoch()
            print(f"epoch {epoch}: {accuracy:.3f}")

    def _train_epoch(self):
        raise NotImplementedError

    def _valid_epoch(self):
        raise NotImplementedError


class ClassifierTrainer(Trainer):
    def _train_epoch(self):
        for x, y in self.train_loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()

    def _valid_epoch(self):
        self.model.eval()
        right = 0
        for x, y in self.val_loader:
            right += (self.model(x).argmax(1) == y).sum().item()  # bug
        return right / len(self.val_loader.dataset)


def trainer_by_name(name):
    return next(cls for cls in Trainer.__subclasses__() if cls.__name__ == name)


def main(name="ClassifierTrainer"):
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    data = TensorDataset(x, (x.sum(1) > 0).long())
    loaders = DataLoader(data, batch_size=16, shuffle=True), DataLoader(data, batch_size=32)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Dropout(0.1), nn.Linear(12, 2))
    trainer_by_name(name)(model, *loaders).fit(2)


if __name__ == "__main__":
    main()
