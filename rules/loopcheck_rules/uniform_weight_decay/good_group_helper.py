"""A helper sorts the parameters by module type."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def param_groups(net, weight_decay):
    spared = set()
    for module in net.modules():
        for name, parameter in module.named_parameters(recurse=False):
            if isinstance(module, (nn.BatchNorm1d, nn.LayerNorm)) or name == "bias":
                spared.add(parameter)
    return [
        {"params": [p for p in net.parameters() if p not in spared], "weight_decay": weight_decay},
        {"params": list(spared), "weight_decay": 0.0},
    ]


def fit(net, loader, epochs=2):
    params = param_groups(net, 1e-4)
    sgd = torch.optim.SGD(params, lr=0.05, momentum=0.9, nesterov=True)
    for epoch in range(epochs):
        for x, y in loader:
            sgd.zero_grad()
            loss = nn.functional.l1_loss(net(x), y)
            loss.backward()
            sgd.step()
        print(f"{epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 1))
    fit(net, DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=12, shuffle=True))
