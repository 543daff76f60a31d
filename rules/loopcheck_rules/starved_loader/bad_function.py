"""A function makes the loader of either split; the samples are drawn when they are asked for."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        wave = torch.randn(8, generator=generator).cumsum(0)
        return wave, wave.mean(dim=0, keepdim=True)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.Linear(8, 1).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    loader = DataLoader(Waves(32), 8, shuffle=True)  # bug
    for epoch in range(2):
        for wave, mean in loader:
            loss = nn.functional.mse_loss(model(wave.to(device)), mean.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
