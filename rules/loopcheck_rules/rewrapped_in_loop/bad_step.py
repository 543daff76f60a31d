"""Each batch has a wrapper of its own."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    x = torch.randn(32, 4)
    dataset = TensorDataset(x, x.sum(dim=1, keepdim=True))
    loader = DataLoader(dataset, batch_size=4, sampler=DistributedSampler(dataset, shuffle=False))
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for inputs, targets in loader:
        optimizer.zero_grad()
        replica = DistributedDataParallel(model)  # bug
        loss = nn.functional.mse_loss(replica(inputs), targets)
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
