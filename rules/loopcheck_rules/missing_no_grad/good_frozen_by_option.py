"""An option says whether the encoder is tuned: where it is not, no parameter of it needs a gradient, and no graph is built."""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def features_of(encoder, val_loader):
    encoder.eval()
    features, labels = [], []
    for inputs, wanted in val_loader:
        features.append(encoder(inputs))
        labels.append(wanted)
    return torch.cat(features), torch.cat(labels)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=0, help="layers of the encoder that are tuned")
    options = parser.parse_args()
    torch.manual_seed(0)
    x, y = torch.randn(60, 6), torch.randint(0, 2, (60,))
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=8, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    encoder = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
    for parameter in encoder.parameters():
        parameter.requires_grad = options.layers > 0
    probe = nn.Linear(12, 2)
    optimizer = torch.optim.SGD([*encoder.parameters(), *probe.parameters()], lr=0.1)
    for epoch in range(2):
        encoder.train(options.layers > 0)
        for inputs, labels in train_loader:
            loss = nn.functional.cross_entropy(probe(encoder(inputs)), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        features, labels = features_of(encoder, val_loader)
        centers = torch.stack([features[labels == each].mean(0) for each in (0, 1)])
        accuracy = (torch.cdist(features, centers).argmin(1) == labels).float().mean()
        print(f"epoch {epoch}: loss {loss.item():.3f}, nearest center {accuracy:.3f}")


if __name__ == "__main__":
    main()
