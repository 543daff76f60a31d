"""A method of the base class says whether an update is due, and the loss is divided by as many micro-batches."""

import enum
import time

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Unit(enum.Enum):
    EPOCH = "epoch"
    STEP = "step"
    SECOND = "second"


class Progress:
    def __init__(self):
        self.epoch = 0
        self.global_step = 0


class BaseTrainer:
    def __init__(self, options):
        self.options = options
        self.previous = {}

    def due(self, name, interval, unit, progress):
        if name not in self.previous:
            self.previous[name] = -1
        match unit:
            case Unit.EPOCH:
                return progress.epoch % int(interval) == 0
            case Unit.STEP:
                return (progress.global_step + 1) % int(interval) == 0
            case Unit.SECOND:
                if self.previous[name] < 0:
                    self.previous[name] = time.time()
                if time.time() - self.previous[name] > interval:
                    self.previous[name] = time.time()
                    return True
                else:
                    return False


class Trainer(BaseTrainer):
    def __init__(self, options):
        super().__init__(options)
        self.model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.progress = Progress()

    def is_update_step(self):
        return self.due("update", self.options["accumulate"], Unit.STEP, self.progress)

    def train(self, loader):
        for x, y in loader:
            loss = nn.functional.cross_entropy(self.model(x), y)
            (loss / self.options["accumulate"]).backward()
            if self.is_update_step():
                self.optimizer.step()
                self.optimizer.zero_grad()
            self.progress.global_step += 1
        self.progress.epoch += 1
        return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=8, shuffle=True)
    trainer = Trainer({"accumulate": 4})
    for epoch in range(2):
        print(f"epoch {epoch}: {trainer.train(loader):.3f}")


if __name__ == "__main__":
    main()
