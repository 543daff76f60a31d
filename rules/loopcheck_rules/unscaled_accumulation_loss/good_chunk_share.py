"""A batch too large for memory goes through in chunks; each chunk's loss counts by its share of the batch."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(encoder, optimizer, images, labels, chunk_size):
    optimizer.zero_grad()
    total = 0.0
    for start in range(0, len(images), chunk_size):
        chunk, answers = images[start : start + chunk_size], labels[start : start + chunk_size]
        share = len(chunk) / len(images)
        loss = nn.functional.cross_entropy(encoder(chunk), answers) * share
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = TensorDataset(torch.randn(60, 3, 4, 4), torch.randint(0, 5, (60,)))
    loader = DataLoader(data, batch_size=20, shuffle=True)
    encoder = nn.Sequential(nn.Flatten(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 5)).to(device)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    for epoch in range(2):
        for images, labels in loader:
            loss = train_step(encoder, optimizer, images.to(device), labels.to(device), chunk_size=8)
        print(epoch, round(loss, 4))
