"""The wrapper is made where the loop begins, and under a test that holds once."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    sampler = DistributedSampler(TensorDataset(x, x.sum(dim=1, keepdim=True)))
    loader = DataLoader(sampler.dataset, batch_size=8, sampler=sampler)
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    model = None
    for epoch in range(3):
        sampler.set_epoch(epoch)
        if model is None:
            model = DistributedDataParallel(net)
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs), targets)
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
