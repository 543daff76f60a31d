"""The project's own loader factory takes a sampler and `shuffle=True`, and shuffles only where there is no sampler."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def build_loader(dataset, batch_size, *, sampler=None, shuffle=True, **kwargs):
    """`shuffle` is a wish: a sampler, if there is one, says the order."""
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, shuffle=shuffle and sampler is None, **kwargs)


class RepeatLoader:
    """So many batches an epoch, however large the dataset; a sampler takes the place of the shuffle."""

    def __init__(self, dataset, batches, sampler=None, shuffle=False, **kwargs):
        if sampler is not None:
            kwargs["sampler"] = sampler
        elif shuffle:
            kwargs["shuffle"] = True
        self.loader = DataLoader(dataset, **kwargs)
        self.batches = batches

    def __iter__(self):
        given = 0
        while True:
            for batch in self.loader:
                if given == self.batches:
                    return
                given += 1
                yield batch


def fit(model, loader, epochs=2):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    x = torch.randn(60, 4)
    y = (x[:, 0] > 1).long()
    dataset = TensorDataset(x, y)
    weights = 1.0 + 4.0 * y.double()
    balanced = build_loader(dataset, 10, sampler=WeightedRandomSampler(weights, len(y)), shuffle=True)
    repeated = RepeatLoader(dataset, 8, sampler=WeightedRandomSampler(weights, len(y)), shuffle=True, batch_size=10)
    for name, loader in [("plain", build_loader(dataset, 10)), ("balanced", balanced), ("repeated", repeated)]:
        print(f"{name}: {fit(nn.Linear(4, 2), loader):.4f}")


if __name__ == "__main__":
    main()
