"""An autoencoder asked by its methods: each is one forward of the model, told where it is asked for, once for a pass."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Dropout(0.1))
        self.middle = nn.Linear(6, 2)
        self.up = nn.Linear(2, 8)

    def encode(self, x):
        hidden = self.down(x)
        return self.middle(hidden)

    def decode(self, z):
        return self.up(z)

    def forward(self, x):
        return self.decode(self.encode(x))


def embed(model, test_loader):
    codes = []
    for (x,) in test_loader:
        codes.append(model.encode(x).detach())  # bug: missing-eval-mode, missing-no-grad
    return torch.cat(codes)


def reconstruction_error(model, val_loader):
    model.eval()
    total = 0.0
    for (x,) in val_loader:
        z = model.encode(x)  # bug: missing-no-grad
        total += nn.functional.mse_loss(model.decode(z), x).item()
    for (x,) in val_loader:
        total += nn.functional.l1_loss(model.forward(x), x).item()  # bug: missing-no-grad
    return total / len(val_loader)


def main():
    torch.manual_seed(0)
    x = torch.randn(80, 8)
    train_loader = DataLoader(TensorDataset(x[:60]), batch_size=12, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[60:]), batch_size=10)
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        model.train()
        for (a,) in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), a).backward()
            optimizer.step()
        print(f"epoch {epoch}: codes {embed(model, val_loader).std():.3f}, error {reconstruction_error(model, val_loader):.3f}")


if __name__ == "__main__":
    main()
