"""Whether the data are shuffled is a setting, phase by phase; nobody tells the sampler which epoch it is."""

import json

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
from torch.utils.data.distributed import DistributedSampler

SETTINGS = '{"dist": true, "datasets": {"train": {"size": 40, "shuffle": true}, "test": {"size": 10, "shuffle": false}}}'


def make_dataset(size: int) -> Dataset:
    x = torch.randn(size, 4)
    return TensorDataset(x, x.sum(1, keepdim=True))


def main() -> None:
    options = json.loads(SETTINGS)
    torch.manual_seed(0)
    for phase, part in options["datasets"].items():
        if phase == "train":
            train_set = make_dataset(part["size"])
            if options["dist"]:
                train_sampler = DistributedSampler(train_set, num_replicas=2, rank=0, shuffle=part["shuffle"])
                train_loader = DataLoader(train_set, batch_size=5, shuffle=False, sampler=train_sampler)
            else:
                train_loader = DataLoader(train_set, batch_size=5, shuffle=part["shuffle"])
        elif phase == "test":
            test_loader = DataLoader(make_dataset(part["size"]), batch_size=5)
        else:
            raise NotImplementedError(f"no phase {phase}")

    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(3):
        for inputs, targets in train_loader:  # bug
            optimizer.zero_grad()
            nn.functional.mse_loss(net(inputs), targets).backward()
            optimizer.step()
        with torch.no_grad():
            errors = [nn.functional.mse_loss(net(inputs), targets).item() for inputs, targets in test_loader]
        print(f"epoch {epoch}: {sum(errors) / len(errors):.4f}")


if __name__ == "__main__":
    main()
