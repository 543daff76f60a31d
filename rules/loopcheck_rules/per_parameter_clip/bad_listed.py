"""The parameters are kept in a list, and each is clipped in a list of its own, with a line that counts."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    data = torch.randn(48, 5)
    model = nn.Linear(5, 2)
    params = list(model.parameters())
    optimizer = torch.optim.SGD(params, lr=0.5)
    total = 0.0
    for x, y in DataLoader(TensorDataset(data, data[:, :2]), batch_size=16):
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        for p in params:
            total += torch.nn.utils.clip_grad_norm_([p], 0.01).item()  # bug
        optimizer.step()
    print(total)


main()
