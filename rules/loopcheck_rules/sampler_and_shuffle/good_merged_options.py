"""Options come together in a dict; shuffling and sampling are put there by exclusive branches."""

import torch
from torch import nn
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset


class Data:
    defaults = {"batch_size": 10, "num_workers": 0}

    def __init__(self, dataset, subset=None):
        self.dataset = dataset
        self.subset = subset

    def loader(self, **overrides):
        options = dict(self.defaults)
        if self.subset is not None:
            options["sampler"] = SubsetRandomSampler(self.subset)
        else:
            options["shuffle"] = True
        options.update(overrides)
        return DataLoader(self.dataset, **options)


def fit(loader, epochs=2):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    dataset = TensorDataset(torch.randn(60, 4), torch.randint(0, 2, (60,)))
    print(f"all of it: {fit(Data(dataset).loader()):.4f}")
    print(f"a third of it: {fit(Data(dataset, subset=range(0, 60, 3)).loader(batch_size=5)):.4f}")


if __name__ == "__main__":
    main()
