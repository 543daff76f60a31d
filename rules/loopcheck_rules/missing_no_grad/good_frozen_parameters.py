"""Features of a frozen network are evaluated by nearest neighbour: nothing in it needs a gradient, so no graph is built."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def embed(encoder, loader):
    encoder.eval()
    features, labels = [], []
    for x, y in loader:
        features.append(encoder(x))
        labels.append(y)
    return torch.cat(features), torch.cat(labels)


def nearest_neighbour_accuracy(encoder, bank_loader, val_loader):
    bank, bank_labels = embed(encoder, bank_loader)
    queries, labels = embed(encoder, val_loader)
    nearest = torch.cdist(queries, bank).argmin(1)
    return (bank_labels[nearest] == labels).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = torch.randn(60, 6), torch.randint(0, 2, (60,))
    bank_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    encoder = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
    for parameter in encoder.parameters():
        parameter.requires_grad = False
    probe = nn.Linear(12, 2)
    optimizer = torch.optim.SGD(probe.parameters(), lr=0.1)
    encoder.eval()
    for epoch in range(2):
        for inputs, labels in DataLoader(TensorDataset(x[:40], y[:40]), batch_size=8, shuffle=True):
            loss = nn.functional.cross_entropy(probe(encoder(inputs)), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        accuracy = nearest_neighbour_accuracy(encoder, bank_loader, val_loader)
        print(f"epoch {epoch}: probe loss {loss.item():.3f}, neighbours {accuracy:.3f}")
