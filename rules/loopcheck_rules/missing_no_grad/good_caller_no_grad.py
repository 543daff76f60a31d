"""The helper that runs the model knows nothing of gradients; its caller holds them off."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def count_hits(model, loader, device):
    hits = 0
    for images, labels in loader:
        hits += (model(images.to(device)).argmax(1) == labels.to(device)).sum().item()
    return hits


def test(model, loader, device):
    model.eval()
    with torch.no_grad():
        hits = count_hits(model, loader, device)
    return 100.0 * hits / len(loader.dataset)


def train(model, loader, optimizer, device):
    model.train()
    for images, labels in loader:
        loss = nn.functional.nll_loss(model(images.to(device)), labels.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    images, labels = torch.rand(60, 1, 4, 4), torch.randint(0, 3, (60,))
    train_loader = DataLoader(TensorDataset(images[:40], labels[:40]), batch_size=8, shuffle=True)
    test_loader = DataLoader(TensorDataset(images[40:], labels[40:]), batch_size=10)
    model = nn.Sequential(nn.Flatten(), nn.Linear(16, 12), nn.ReLU(), nn.Linear(12, 3), nn.LogSoftmax(dim=1)).to(device)
    optimizer = torch.optim.Adadelta(model.parameters(), lr=1.0)
    for epoch in range(2):
        train(model, train_loader, optimizer, device)
        print(f"epoch {epoch}: {test(model, test_loader, device):.1f}%")
