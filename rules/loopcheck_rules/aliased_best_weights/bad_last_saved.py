"""The weights of the best epoch are tested when training is over, and those of the last one go to a file before that."""

import io

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        right = sum((model(inputs).argmax(dim=1) == labels).sum().item() for inputs, labels in loader)
    model.train()
    return right / len(loader.dataset)


def train(model, loader, val_loader, last, epochs=6):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    best, best_state = -1.0, None
    for _ in range(epochs):
        for inputs, labels in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(inputs), labels).backward()
            optimizer.step()
        now = accuracy(model, val_loader)
        if now > best:
            best = now
            best_state = model.state_dict()  # bug
    torch.save(model.state_dict(), last)
    return best_state, best


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    y = (x.sum(dim=1) + torch.randn(96) > 0).long()
    train_set, val_set, test_set = (TensorDataset(x[at : at + 32], y[at : at + 32]) for at in (0, 32, 64))
    model = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 2))
    last = io.BytesIO()
    result = train(model, DataLoader(train_set, 8, shuffle=True), DataLoader(val_set, 32), last)
    best_state, best = result
    print(f"last, in {len(last.getvalue())} bytes: {accuracy(model, DataLoader(test_set, 32)):.2f}")
    model.load_state_dict(best_state)
    print(f"best, {best:.2f} when it was kept: {accuracy(model, DataLoader(test_set, 32)):.2f}")


if __name__ == "__main__":
    main()
