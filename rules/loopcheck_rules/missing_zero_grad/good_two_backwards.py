"""Two losses, two backwards, one step: the second adds to the first on purpose, and both start from nothing."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    critic = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1)).to(device)
    optimizer = torch.optim.SGD(critic.parameters(), lr=0.05)
    criterion = nn.BCEWithLogitsLoss()
    loader = DataLoader(TensorDataset(torch.randn(60, 2) + 1), batch_size=15, shuffle=True)

    for epoch in range(2):
        for (real,) in loader:
            real = real.to(device)
            critic.zero_grad()

            logits = critic(real)
            on_real = criterion(logits, torch.ones_like(logits))
            on_real.backward()

            logits = critic(torch.randn_like(real))
            on_noise = criterion(logits, torch.zeros_like(logits))
            on_noise.backward()

            optimizer.step()
        print(epoch, on_real.item() + on_noise.item())


if __name__ == "__main__":
    main()
