"""An autoencoder that owns its optimizer and trains itself, one `partial_fit` at a time."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(nn.Module):
    def __init__(self, width, code, lr=1e-2):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, code), nn.ReLU())
        self.decoder = nn.Linear(code, width)
        self.optim = torch.optim.Adam(self.parameters(), lr=lr)

    def forward(self, x):
        return self.decoder(self.encoder(x))

    def reconstruction_error(self, x):
        return torch.mean((self(x) - x) ** 2)

    def partial_fit(self, x):
        self.train()
        error = self.reconstruction_error(x)
        error.backward()  # bug
        self.optim.step()
        return error.item()


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    basis = torch.randn(3, 10)
    loader = DataLoader(TensorDataset(torch.randn(90, 3) @ basis), batch_size=30, shuffle=True)
    ae = Autoencoder(10, 4).to(device)
    for epoch in range(3):
        errors = [ae.partial_fit(x.to(device)) for (x,) in loader]
        print(epoch, sum(errors) / len(errors))


if __name__ == "__main__":
    main()
