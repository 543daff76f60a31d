"""A factory takes both; the variable is set to False where a sampler comes in."""

import torch
from torch import nn
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset, WeightedRandomSampler


def create_loader(dataset, batch_size, shuffle=True, sample_weights=None):
    sampler = None
    if sample_weights is not None:
        sampler = WeightedRandomSampler(sample_weights, len(dataset), replacement=True)
        shuffle = False
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler, shuffle=shuffle)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(40, 5)
    y = (x.sum(1) > 1).long()
    train_set, val_set = TensorDataset(x[:30], y[:30]), TensorDataset(x[30:], y[30:])
    balanced = create_loader(train_set, 6, sample_weights=1.0 + y[:30].double())
    plain = DataLoader(train_set, batch_size=6, sampler=RandomSampler(train_set), shuffle=False)
    val_loader = DataLoader(val_set, batch_size=5, sampler=SequentialSampler(val_set))
    model = nn.Sequential(nn.Linear(5, 10), nn.BatchNorm1d(10), nn.ReLU(), nn.Linear(10, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for loader in (plain, balanced):
        for epoch in range(2):
            model.train()
            for inputs, labels in loader:
                optimizer.zero_grad()
                nn.functional.cross_entropy(model(inputs), labels).backward()
                optimizer.step()
            model.eval()
            with torch.no_grad():
                hits = sum((model(inputs).argmax(1) == labels).sum().item() for inputs, labels in val_loader)
            print(f"epoch {epoch}: {hits}/{len(val_set)}")
