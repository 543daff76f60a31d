"""A set of optimizers that a table makes: each of them clears, and each of them steps, after the clip."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PARTS = {}


class Optimizers:
    """Several optimizers that do everything together."""

    def __init__(self, dense, sparse):
        self.dense = dense
        self.sparse = sparse

    def zero_grad(self):
        for optimizer in self.dense + self.sparse:
            optimizer.zero_grad()

    def step(self):
        for optimizer in self.dense + self.sparse:
            optimizer.step()


def fit(model, loader, optimizers, max_norm=1.0):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizers.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizers.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(48, 6)
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=12, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
    PARTS["dense"] = lambda: [torch.optim.SGD(model.parameters(), lr=0.1)]
    PARTS["sparse"] = lambda: []
    dense, sparse = (PARTS[name]() for name in sorted(PARTS))
    optimizers = Optimizers(dense, sparse)
    for epoch in range(2):
        print(f"epoch {epoch}: {fit(model, loader, optimizers):.3f}")


if __name__ == "__main__":
    main()
