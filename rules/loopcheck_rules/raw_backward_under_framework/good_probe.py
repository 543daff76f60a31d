"""The encoder is prepared and only gives features; the probe on top of it is torch's alone."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@torch.no_grad()
def features_of(encoder, loader):
    encoder.eval()
    found = [(encoder(x), y) for x, y in loader]
    return torch.cat([features for features, _ in found]), torch.cat([labels for _, labels in found])


def main():
    torch.manual_seed(0)
    accelerator = Accelerator()
    encoder = nn.Sequential(nn.Linear(12, 24), nn.BatchNorm1d(24), nn.ReLU())
    loader = DataLoader(TensorDataset(torch.randn(64, 12), torch.randint(0, 3, (64,))), batch_size=16)
    encoder, loader = accelerator.prepare(encoder, loader)
    features, labels = features_of(encoder, loader)

    probe = nn.Linear(24, 3).to(accelerator.device)
    optimizer = torch.optim.SGD(probe.parameters(), lr=0.1)
    for step in range(5):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(probe(features), labels)
        loss.backward()
        optimizer.step()
        print(step, loss.item())


if __name__ == "__main__":
    main()
