"""The zeroing slipped out of the `if`: one level of indentation too few."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self, size=12, code=3):
        super().__init__()
        self.encoder = nn.Linear(size, code)
        self.decoder = nn.Linear(code, size)

    def forward(self, x):
        return self.decoder(torch.relu(self.encoder(x)))


class Learner:
    def __init__(self, model, data, every=5):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
        self.every = every
        self.data = data

    def fit(self, epochs):
        for epoch in range(epochs):
            error = self.epoch()
            print(f"epoch {epoch:02d} error {error:.4f}")

    def epoch(self):
        self.optimizer.zero_grad()
        error = 0.0
        for n, (x,) in enumerate(self.data, 1):
            loss = nn.functional.mse_loss(self.model(x), x) / self.every
            loss.backward()
            error += loss.item()
            if n % self.every == 0 or n == len(self.data):
                self.optimizer.step()
            self.optimizer.zero_grad()  # bug
        return error


def main():
    torch.manual_seed(0)
    data = DataLoader(TensorDataset(torch.randn(60, 12)), batch_size=6, shuffle=True)
    Learner(Autoencoder(), data).fit(epochs=2)


if __name__ == "__main__":
    main()
