"""Meta-learning (Reptile): on each held-out task a copy of the model is adapted by gradient descent, in train mode on purpose."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.autograd import grad


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)

    def adapt(self, loss, lr=0.05):
        gradients = grad(loss, list(self.parameters()))
        with torch.no_grad():
            for parameter, gradient in zip(self.parameters(), gradients):
                parameter -= lr * gradient


def clone(model):
    learner = Learner()
    learner.load_state_dict(model.state_dict())
    return learner


def task():
    slope = torch.randn(4)
    x = torch.randn(16, 4)
    return x[:8], x[:8] @ slope, x[8:], x[8:] @ slope


def main():
    torch.manual_seed(0)
    model = Learner()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    val_tasks = [task() for _ in range(3)]
    for epoch in range(2):
        for _ in range(4):
            support, target, query, expected = task()
            loss = F.mse_loss(model(support), target) + F.mse_loss(model(query), expected)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total = 0.0
        for support, target, query, expected in val_tasks:
            learner = clone(model)
            for _ in range(2):
                learner.adapt(F.mse_loss(learner(support), target))
            total += F.mse_loss(learner(query), expected).item()
        print(f"epoch {epoch}: {total / len(val_tasks):.3f}")


if __name__ == "__main__":
    main()
