"""Clip and step stand under two `if`s, but under one and the same condition."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(7, 14), nn.ELU(), nn.Linear(14, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)


def train(model, loader, epochs, accumulate, clip):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        for k, (features, price) in enumerate(loader):
            is_boundary = (k + 1) % accumulate == 0 or k + 1 == len(loader)
            loss = nn.functional.huber_loss(model(features), price)
            (loss / accumulate).backward()

            if is_boundary and clip > 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)

            if is_boundary:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    features = torch.rand(50, 7)
    dataset = TensorDataset(features, features @ torch.arange(7.0))
    train(Regressor(), DataLoader(dataset, batch_size=5, shuffle=True), epochs=2, accumulate=5, clip=1.0)
