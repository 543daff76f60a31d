"""train() is called once in fit(), before the epochs."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ResidualNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, width))
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(x + self.inner(x))


class Trainer:
    def __init__(self, model, train_dl, val_dl, device):
        self.model = model.to(device)
        self.train_dl, self.val_dl = train_dl, val_dl
        self.device = device
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.best = float("inf")

    def fit(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            self.train_epoch()
            loss = self.validation_loss()
            self.best = min(self.best, loss)
            print(f"epoch {epoch}: {loss:.4f} (best {self.best:.4f})")

    def train_epoch(self):
        for x, y in self.train_dl:
            loss = nn.functional.mse_loss(self.model(x.to(self.device)), y.to(self.device))
            loss.backward()
            self.opt.step()
            self.opt.zero_grad()

    def validation_loss(self):
        self.model.eval()  # bug
        total = 0.0
        with torch.no_grad():
            for x, y in self.val_dl:
                error = nn.functional.mse_loss(self.model(x.to(self.device)), y.to(self.device), reduction="sum")
                total += error.item()
        return total / len(self.val_dl.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(80, 16)
    y = x[:, :1] * x[:, 1:2]
    Trainer(
        ResidualNet(),
        DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True),
        DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16),
        "cuda" if torch.cuda.is_available() else "cpu",
    ).fit(epochs=3)
