"""A measurement that nobody calls any more: its call is a comment, and no other file asks for it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(model: nn.Module, test_loader: DataLoader) -> float:
    model.eval()
    right = 0
    for x, y in test_loader:
        right += (model(x).argmax(1) == y).sum().item()
    return right / len(test_loader.dataset)


def main() -> None:
    torch.manual_seed(0)
    x = torch.randn(60, 6)
    y = (x.sum(1) > 0).long()
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(2):
        for a, b in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(a), b)
            loss.backward()
            optimizer.step()
        # print(accuracy(model, test_loader))
        print(f"epoch {epoch}: loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
