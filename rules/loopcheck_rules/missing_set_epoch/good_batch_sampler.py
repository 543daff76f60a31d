"""A batch sampler wraps the distributed sampler and passes the epoch on to it."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class PairedBatchSampler:
    """Batches of an even number of samples."""

    def __init__(self, sampler, pairs):
        self.sampler = sampler
        self.pairs = pairs

    def __iter__(self):
        indices = list(self.sampler)
        size = 2 * self.pairs
        yield from (indices[i : i + size] for i in range(0, len(indices) - size + 1, size))

    def __len__(self):
        return len(self.sampler) // (2 * self.pairs)

    def set_epoch(self, epoch):
        self.sampler.set_epoch(epoch)


def main():
    torch.manual_seed(0)
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    dataset = TensorDataset(torch.randn(64, 6))
    if distributed:
        sampler = DistributedSampler(dataset)
    else:
        sampler = DistributedSampler(dataset, num_replicas=2, rank=0)
    loader = DataLoader(dataset, batch_sampler=PairedBatchSampler(sampler, pairs=4))
    encoder = nn.Linear(6, 4)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for epoch in range(2):
        loader.batch_sampler.set_epoch(epoch)
        for (x,) in loader:
            a, b = nn.functional.normalize(encoder(x), dim=1).chunk(2)
            loss = nn.functional.cross_entropy(a @ b.T, torch.arange(len(a)))
            optimizer.zero_grad()
            loss.backward()
            if distributed:
                for p in encoder.parameters():
                    dist.all_reduce(p.grad)
                    p.grad /= dist.get_world_size()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
