"""Clears on the first micro-batch of a window, steps on the last; the optimizers live in a dict."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(backbone, head, optimizers, loader, window, device):
    for index, (x, y) in enumerate(loader):
        if index % window == 0:
            for optimizer in optimizers.values():
                optimizer.zero_grad()
        features = torch.relu(backbone(x.to(device)))
        loss = nn.functional.cross_entropy(head(features), y.to(device)) / window
        loss.backward()
        if index % window == window - 1 or index == len(loader) - 1:
            for optimizer in optimizers.values():
                optimizer.step()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    backbone, head = nn.Linear(10, 20).to(device), nn.Linear(20, 5).to(device)
    optimizers = {
        "backbone": torch.optim.SGD(backbone.parameters(), lr=0.01),
        "head": torch.optim.SGD(head.parameters(), lr=0.1),
    }
    loader = DataLoader(TensorDataset(torch.randn(48, 10), torch.randint(0, 5, (48,))), batch_size=6, shuffle=True)
    for _ in range(2):
        train(backbone, head, optimizers, loader, window=4, device=device)


if __name__ == "__main__":
    main()
