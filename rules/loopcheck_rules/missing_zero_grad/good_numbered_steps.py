"""Each batch comes with an object that knows its number in the epoch: the first of a window clears, the last one steps."""

import torch
from torch import nn


class Step:
    def __init__(self, number):
        self.number = number
        self.loss = None


class Steps:
    def __init__(self, batches):
        self.batches = batches

    def __iter__(self):
        for number, batch in enumerate(self.batches, 1):
            yield Step(number), batch


class Trainer:
    def __init__(self, network, optimizer):
        self.network = network
        self.optimizer = optimizer

    def fit(self, batches, epochs, per_step):
        for _ in range(epochs):
            for step, (x, y) in Steps(batches):
                stepped = self.fit_batch(x, y, step, per_step)
            if not stepped:
                self.optimizer.step()

    def fit_batch(self, x, y, step, per_step):
        clears = (step.number - 1) % per_step == 0
        steps = step.number % per_step == 0
        if clears:
            self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.network(x), y)
        (loss / per_step).backward()
        if steps:
            self.optimizer.step()
        return steps


torch.manual_seed(0)
model = nn.Linear(8, 1)
trainer = Trainer(model, torch.optim.SGD(model.parameters(), 0.1))
trainer.fit([(torch.randn(4, 8), torch.randn(4, 1)) for _ in range(7)], 3, 2)
