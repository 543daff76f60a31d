"""Methods of a network that make its inputs or reset its state; where it is applied, gradients are off."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 8
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))

    def create_reader_input(self, x):
        return x[:, : self.width]

    def rewind(self, width):
        self.width = width

    def forward(self, x):
        return self.net(x)


def validate(model: nn.Module, val_loader):
    model.eval()
    hits = 0
    for x, y in val_loader:
        inputs = model.create_reader_input(x)
        model.rewind(8)
        with torch.no_grad():
            hits += (model(inputs).argmax(dim=1) == y).sum().item()
    model.train()
    return hits / len(val_loader.dataset)


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 10)
    y = (x[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)
    model = {"small": Reader}["small"]()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for inputs, labels in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(model.create_reader_input(inputs)), labels).backward()
            optimizer.step()
        print(f"epoch {epoch}: {validate(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
