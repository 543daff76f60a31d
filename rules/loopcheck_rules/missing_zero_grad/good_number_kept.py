"""The trainer keeps the number of the batch as an attribute that its loop binds; two helpers ask it, one to clear, one to step."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Windows:
    def __init__(self, per_step):
        self.per_step = per_step

    def zero_if_first(self, optimizer, iteration):
        if iteration % self.per_step == 0:
            optimizer.zero_grad()

    def step_if_last(self, optimizer, iteration):
        if iteration % self.per_step == self.per_step - 1:
            optimizer.step()


class Trainer(Windows):
    def __init__(self, model, optimizer, loader, per_step):
        super().__init__(per_step)
        self.model, self.optimizer, self.loader = model, optimizer, loader
        self.iterations = None
        self.iteration = 0

    def begin(self, iterations):
        self.iterations = iterations

    def fit(self):
        self.model.train()
        for self.iteration, (x, y) in zip(self.iterations, self.loader):
            self.batch(x, y, iteration=self.iteration)

    def batch(self, x, y, *, iteration):
        self.zero_if_first(self.optimizer, iteration)
        loss = nn.functional.cross_entropy(self.model(x), y) / self.per_step
        loss.backward()
        self.step_if_last(self.optimizer, iteration)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--per-step", type=int, default=2)
    options = parser.parse_args()
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = TensorDataset(torch.randn(48, 12), torch.randint(0, 4, (48,)))
    trainer = Trainer(model, optimizer, DataLoader(data, batch_size=6, shuffle=True), options.per_step)
    for _ in range(2):
        trainer.begin(range(8))
        trainer.fit()


if __name__ == "__main__":
    main()
