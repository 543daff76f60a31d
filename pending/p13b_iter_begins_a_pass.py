"""`iter(loader)` begins the pass; that the batches are drawn by hand does not tell the sampler the epoch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 3)
    samples = TensorDataset(x, x.sum(1, keepdim=True))
    loader = DataLoader(samples, batch_size=8, sampler=DistributedSampler(samples, num_replicas=2, rank=0))
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        loader_iter = iter(loader)  # bug: missing-set-epoch
        for i in range(len(loader)):
            a, b = next(loader_iter)
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
