"""A score is taken before training begins, and the network is left as that needed it."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(model, loader, device):
    model.eval()  # bug
    right, seen = 0, 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x.to(device)).argmax(dim=1) == y.to(device)).sum().item()
            seen += len(y)
    return right / seen


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    inputs = torch.randn(96, 6)
    data = TensorDataset(inputs, (inputs[:, 0] > 0.0).long())
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.4), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    print(f"untrained: {accuracy(model, loader, device):.3f}")
    for _ in range(3):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            optimizer.step()


if __name__ == "__main__":
    main()
