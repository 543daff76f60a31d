"""One entry of a ModuleDict, by its key and by its name: the mode set there is the mode used here."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger:
    def __init__(self, device):
        model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 4))
        self.modules = nn.ModuleDict({"model": model}).to(device)
        self.device = device

    def fit(self, train_loader, epochs=2):
        optimizer = torch.optim.Adam(self.modules.parameters(), lr=3e-3)
        for _ in range(epochs):
            self.modules["model"].train()
            for x, y in train_loader:
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(self.modules.model(x.to(self.device)), y.to(self.device))
                loss.backward()
                optimizer.step()

    @torch.no_grad()
    def evaluate(self, valid_loader):
        self.modules["model"].eval()
        right = total = 0
        for x, y in valid_loader:
            right += (self.modules.model(x.to(self.device)).argmax(1) == y.to(self.device)).sum().item()
            total += len(y)
        return right / total


def main():
    torch.manual_seed(0)
    x = torch.randn(96, 8)
    y = x[:, :4].argmax(1)
    tagger = Tagger("cuda" if torch.cuda.is_available() else "cpu")
    tagger.fit(DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True))
    print(f"{tagger.evaluate(DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16)):.3f}")


if __name__ == "__main__":
    main()
