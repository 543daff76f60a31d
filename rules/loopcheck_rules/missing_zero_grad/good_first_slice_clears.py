"""A batch is cut into slices; the first of them clears what the step before has used, in a trainer of the project."""

import torch
import torch.nn.functional as F
from torch import nn


def clear(parameters):
    for parameter in parameters:
        if parameter.grad is not None:
            parameter.grad.detach_()
            parameter.grad.zero_()


def slices(size, *arrays):
    for start in range(0, len(arrays[0]), size):
        yield tuple(array[start : start + size] for array in arrays)


class Trainer:
    def __init__(self, model):
        self.parameters = list(model.parameters())

    def zero_grad(self):
        clear(self.parameters)

    def backward(self, loss):
        loss.backward()

    def optimize(self, optimizer):
        optimizer.step()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Linear(10, 5).to(device)
    trainer = Trainer(model)
    optimizer = torch.optim.SGD(trainer.parameters, lr=0.1)
    inputs, targets = torch.randn(96, 10, device=device), torch.randint(0, 5, (96,), device=device)

    def learn(x, y):
        for i, (x_slice, y_slice) in enumerate(slices(8, x, y)):
            loss = F.cross_entropy(model(x_slice), y_slice)
            if loss.requires_grad:
                if i == 0:
                    trainer.zero_grad()
                trainer.backward(loss * len(x_slice) / len(x))

    for _ in range(6):
        chosen = torch.randperm(len(inputs), device=device)[:24]
        learn(inputs[chosen], targets[chosen])
        trainer.optimize(optimizer)


if __name__ == "__main__":
    main()
