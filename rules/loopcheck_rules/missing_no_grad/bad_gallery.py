"""After training, a gallery of embeddings is made of the network in eval mode: nothing is called a validation, and nothing learns."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(net, loader, optimizer):
    net.train()
    for anchor, positive in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(anchor), net(positive))
        loss.backward()
        optimizer.step()


def gallery(net, images):
    net.eval()
    rows = []
    for (batch,) in images:
        embedded = nn.functional.normalize(net(batch))  # bug
        rows.append(embedded.detach().cpu().numpy())
    return np.concatenate(rows)


def main():
    torch.manual_seed(0)
    anchors = torch.randn(64, 12)
    pairs = TensorDataset(anchors, anchors + 0.1 * torch.randn_like(anchors))
    images = DataLoader(TensorDataset(torch.randn(32, 12)), batch_size=8)
    net = nn.Sequential(nn.Linear(12, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for _ in range(2):
        train(net, DataLoader(pairs, batch_size=16, shuffle=True), optimizer)
    rows = gallery(net, images)
    print(f"{(rows @ rows.T).mean():.3f}")


if __name__ == "__main__":
    main()
