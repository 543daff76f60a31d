"""Dropout layers alone back on, at one rate after the other: the network stays in the eval mode that it was loaded in."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load(weights):
    model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.3), nn.Linear(8, 2))
    model.load_state_dict(weights)
    model.eval()
    return model


def set_rate(model: nn.Module, rate):
    for layer in model.modules():
        if isinstance(layer, nn.Dropout):
            layer.p = rate
            layer.train() if rate > 0.0 else layer.eval()


@torch.inference_mode()
def spread(model: nn.Module, loader: DataLoader, passes=3):
    for layer in model.modules():
        if isinstance(layer, nn.Dropout):
            layer.train()
    spreads = []
    for x, _ in loader:
        votes = []
        for _ in range(passes):
            votes.append(model(x).softmax(dim=1))
        spreads.append(torch.stack(votes).std(0))
    return torch.cat(spreads).mean()


def sweep(weights, test_loader: DataLoader, rates):
    model = load(weights)
    set_rate(model, 0.0)
    for rate in rates:
        set_rate(model, rate)
        print(f"dropout {rate}: {spread(model, test_loader).item():.4f}")


torch.manual_seed(0)
trained = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.3), nn.Linear(8, 2)).state_dict()
sweep(trained, DataLoader(TensorDataset(torch.randn(32, 8), torch.zeros(32)), batch_size=8), [0.1, 0.2])
