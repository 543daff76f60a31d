"""Few-shot tasks are normalised by their own batch, in meta-testing as in meta-training: train mode is the method."""

import copy

import torch
from torch import nn


class SineTask:
    def __init__(self):
        self.amplitude, self.phase = 0.5 + torch.rand(()), 3 * torch.rand(())

    def sample(self, shots):
        x = 6 * torch.rand(shots, 1) - 3
        return x, self.amplitude * torch.sin(x + self.phase)


def adapt(model, task, steps, lr=0.05):
    """A copy of the model after a few steps on the task's support set."""
    learner = copy.deepcopy(model)
    optimizer = torch.optim.SGD(learner.parameters(), lr=lr)
    x, y = task.sample(10)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.mse_loss(learner(x), y).backward()
        optimizer.step()
    return learner


def meta_train(model, tasks, rate):
    """First order: the weights move towards what each task makes of them."""
    for task in tasks:
        learner = adapt(model, task, steps=2)
        with torch.no_grad():
            for slow, fast in zip(model.parameters(), learner.parameters()):
                slow.lerp_(fast, rate)


def meta_test(model, tasks):
    errors = []
    for task in tasks:
        learner = adapt(model, task, steps=4)
        x, y = task.sample(32)
        # transductive: the query set is normalised by its own statistics
        with torch.no_grad():
            errors.append(nn.functional.mse_loss(learner(x), y).item())
    return sum(errors) / len(errors)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(1, 32), nn.BatchNorm1d(32, momentum=1.0), nn.ReLU(), nn.Linear(32, 1))
    net.train()
    test_tasks = [SineTask() for _ in range(4)]
    for iteration in range(4):
        meta_train(net, [SineTask() for _ in range(4)], rate=0.2)
        print(f"iteration {iteration}: error after adaptation {meta_test(net, test_tasks):.3f}")


if __name__ == "__main__":
    main()
