"""A class of its own stops early, holds the state of the best epoch, and gives it back."""

import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience=3):
        self.patience = patience
        self.best_loss = None
        self.best_state = None
        self.waited = 0

    def __call__(self, loss, model):
        if self.best_loss is None or loss < self.best_loss:
            self.best_loss = loss
            self.best_state = model.state_dict().copy()  # bug
            self.waited = 0
        else:
            self.waited += 1
        return self.waited >= self.patience

    def restore(self, model):
        model.load_state_dict(self.best_state)


def fit(model, train, held_out, epochs=30):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.4)
    stopper = EarlyStopping()
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(train[0]), train[1])
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            error = nn.functional.mse_loss(model(held_out[0]), held_out[1]).item()
        print(f"epoch {epoch}: {error:.4f}")
        if stopper(error, model):
            break
    stopper.restore(model)
    return model


def main():
    torch.manual_seed(0)
    x = torch.randn(40, 4)
    y = x.prod(dim=1, keepdim=True)
    fit(nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1)), (x[:20], y[:20]), (x[20:], y[20:]))


if __name__ == "__main__":
    main()
