"""An autoencoder whose helper adds dropout where there is a share of it, and that is made with none: it has no modes."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def unit(inside, outside, dropout):
    layers = [nn.Linear(inside, outside), nn.Tanh()]
    if dropout > 0:
        layers.append(nn.Dropout(dropout))
    return layers


class Autoencoder(nn.Module):
    def __init__(self, size, code, dropout=0.0):
        super().__init__()
        self.encode = nn.Sequential(*unit(size, code, dropout))
        self.decode = nn.Sequential(*unit(code, size, dropout))

    def forward(self, x):
        return self.decode(self.encode(x))


def main():
    torch.manual_seed(0)
    model = Autoencoder(8, 2, dropout=0.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    train_loader = DataLoader(TensorDataset(torch.rand(64, 8)), batch_size=16, shuffle=True)
    validation_loader = DataLoader(TensorDataset(torch.rand(16, 8)), batch_size=8)
    for epoch in range(3):
        for (x,) in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), x).backward()
            optimizer.step()
        total = 0.0
        with torch.no_grad():
            for (x,) in validation_loader:
                total += nn.functional.mse_loss(model(x), x, reduction="sum").item()
        print(f"epoch {epoch}: {total / 16:.4f}")


if __name__ == "__main__":
    main()
