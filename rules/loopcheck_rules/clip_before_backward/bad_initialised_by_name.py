"""The weights are set up by a function that is picked by name, so what it does to the model is not in sight."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def orthogonal(model):
    for p in model.parameters():
        if p.dim() >= 2:
            nn.init.orthogonal_(p)


def normal(model):
    for p in model.parameters():
        nn.init.normal_(p, std=0.1)


INITIALISERS = {"orthogonal": orthogonal, "normal": normal}


def main():
    torch.manual_seed(0)
    x = torch.randn(128, 6)
    loader = DataLoader(TensorDataset(x, x[:, :1] * 10), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    initialise = INITIALISERS[os.environ.get("INITIALISER", "orthogonal")]
    initialise(model)

    for epoch in range(2):
        for inputs, targets in loader:
            loss = nn.functional.mse_loss(model(inputs), targets)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # bug
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
