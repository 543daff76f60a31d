"""The function that trains one epoch makes its own optimizer each time that it is called."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(model, loader, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)  # bug
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 8), torch.randint(0, 3, (64,)))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))
    for epoch in range(3):
        print(f"epoch {epoch}: {train(model, loader, 0.05):.4f}")
