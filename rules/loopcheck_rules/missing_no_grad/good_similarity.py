"""Embeddings are computed without a graph; the similarity of two of them has no parameters that could start one."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def embed(encoder, loader):
    encoder.eval()
    found = []
    with torch.no_grad():
        for (x,) in loader:
            found.append(encoder(x))
    return torch.cat(found)


def verify(test_lines, enrolled, tested):
    scores = []
    similarity = nn.CosineSimilarity(dim=-1)
    for line in test_lines:
        left, right = line.split()
        scores.append(similarity(enrolled[int(left)], tested[int(right)]))
    return torch.stack(scores)


def main():
    torch.manual_seed(0)
    encoder = nn.Sequential(nn.Linear(12, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 8))
    x = torch.randn(64, 12)
    train_loader = DataLoader(TensorDataset(x), batch_size=16, shuffle=True)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.05)
    for _ in range(2):
        encoder.train()
        for (a,) in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(encoder(a), encoder(a + 0.1 * torch.randn_like(a)))
            loss.backward()
            optimizer.step()
    enrolled = embed(encoder, DataLoader(TensorDataset(x[:8]), batch_size=8))
    tested = embed(encoder, DataLoader(TensorDataset(x[8:16]), batch_size=8))
    print(verify("0 1\n2 3\n4 4".splitlines(), enrolled, tested))


if __name__ == "__main__":
    main()
