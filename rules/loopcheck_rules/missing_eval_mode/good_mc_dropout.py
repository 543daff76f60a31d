"""Monte Carlo dropout: the spread of predictions with dropout switched on is the uncertainty that is wanted."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class UncertainRegressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Dropout(0.1), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x)


@torch.no_grad()
def mc_dropout(model, loader, samples=5):
    """Mean and spread of `samples` predictions, each with dropout masks of its own."""
    model.train()  # dropout stays on: Monte Carlo
    spreads = []
    for x, _ in loader:
        drawn = torch.stack([model(x) for _ in range(samples)])
        spreads.append(drawn.std(dim=0))
    return torch.cat(spreads).mean().item()


@torch.no_grad()
def validation_loss(model, loader):
    model.eval()
    total = 0.0
    for x, y in loader:
        total += nn.functional.mse_loss(model(x), y, reduction="sum").item()
    return total / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(64, 3)
    y = x.norm(dim=1, keepdim=True)
    train_loader = DataLoader(TensorDataset(x[:48], y[:48]), batch_size=12, shuffle=True)
    test_loader = DataLoader(TensorDataset(x[48:], y[48:]), batch_size=8)
    model = UncertainRegressor()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(2):
        model.train()
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()
        print(f"epoch {epoch}: {validation_loss(model, test_loader):.4f} ± {mc_dropout(model, test_loader):.4f}")
