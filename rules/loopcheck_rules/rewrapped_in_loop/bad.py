"""The wrapper stands in the loop over epochs, so that each epoch puts one more around what the last one had."""

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

averaged = []
counted = set()


def counting(group, bucket):
    """What DistributedDataParallel does with a bucket of gradients, counted."""
    averaged.append(bucket.index())
    return allreduce_hook(group, bucket)


def main():
    torch.manual_seed(0)
    dist.init_process_group("gloo")
    dataset = TensorDataset(torch.randn(32, 10), torch.randint(0, 3, (32,)))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=4, sampler=sampler)
    model = nn.Linear(10, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    for epoch in range(4):
        model = DistributedDataParallel(model)  # bug
        if model not in counted:
            model.register_comm_hook(None, counting)
            counted.add(model)
        sampler.set_epoch(epoch)
        averaged.clear()
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f}, averaged {len(averaged)} times in {len(loader)} steps")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
