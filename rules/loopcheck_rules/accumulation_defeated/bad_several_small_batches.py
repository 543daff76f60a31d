"""Several small batches stand for one large one; the loop over them clears at its top."""

from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SMALL_BATCHES = 4


def update(model, optimizer, batches):
    total = 0.0
    for features, labels in islice(batches, SMALL_BATCHES):
        optimizer.zero_grad(set_to_none=True)  # bug
        loss = F.cross_entropy(model(features), labels) / SMALL_BATCHES
        loss.backward()
        total += loss.item()

    optimizer.step()
    return total


def main():
    torch.manual_seed(0)
    features = torch.randn(192, 12)
    labels = (features[:, 0] > 0).long()
    loader = DataLoader(TensorDataset(features, labels), batch_size=16, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    model.train()
    for epoch in range(2):
        batches = iter(loader)
        for _ in range(len(loader) // SMALL_BATCHES):
            loss = update(model, optimizer, batches)
        print(f"epoch {epoch}: {loss:.4f}")


if __name__ == "__main__":
    main()
