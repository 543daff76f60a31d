"""Cleared before the window where there are several batches, and before each where there is one: no count is left out."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, optimizer, accum_counts, accum_steps):
        self.model, self.optimizer = model, optimizer
        self.accum_counts, self.accum_steps = accum_counts, accum_steps
        self.accum_count, self.step = accum_counts[0], 0

    def count_at(self, step):
        count = self.accum_counts[0]
        for i in range(len(self.accum_steps)):
            if step >= self.accum_steps[i]:
                count = self.accum_counts[i]
        return count

    def windows(self, loader):
        """Every window's batches, and how many numbers they predict."""
        batches, items = [], 0
        for x, y in loader:
            batches.append((x, y))
            items += len(y)
            if len(batches) == self.accum_count:
                yield batches, items
                self.step += 1
                self.accum_count = self.count_at(self.step)
                batches, items = [], 0
        if batches:
            yield batches, items

    def update(self, batches, items):
        if self.accum_count > 1:
            self.optimizer.zero_grad()
        for x, y in batches:
            if self.accum_count == 1:
                self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(x), y, reduction="sum")
            loss /= items
            loss.backward()
        self.optimizer.step()
        return loss.item()

    def train(self, loader, epochs):
        for _ in range(epochs):
            for batches, items in self.windows(loader):
                print(f"{self.update(batches, items):.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum-counts", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--accum-steps", type=int, nargs="+", default=[0, 4])
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
    model = nn.Linear(6, 1)
    Trainer(model, torch.optim.SGD(model.parameters(), lr=0.05), args.accum_counts, args.accum_steps).train(loader, epochs=3)


if __name__ == "__main__":
    main()
