"""An optimizer of the project's own sorts what it is given: one-dimensional parameters get no decay."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SelectiveAdamW(torch.optim.AdamW):
    def __init__(self, params, lr=1e-3, weight_decay=1e-2):
        params = list(params)
        groups = [
            {"params": [p for p in params if p.ndim > 1], "weight_decay": weight_decay},
            {"params": [p for p in params if p.ndim <= 1], "weight_decay": 0.0},
        ]
        super().__init__(groups, lr=lr)


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(48, 7)
    loader = DataLoader(TensorDataset(x, x.max(dim=1, keepdim=True).values), batch_size=12, shuffle=True)
    regressor = nn.Sequential(nn.Linear(7, 14), nn.LayerNorm(14), nn.ReLU(), nn.Linear(14, 1)).to(device)
    optimizer = SelectiveAdamW(regressor.parameters(), lr=1e-2, weight_decay=0.1)
    for epoch in range(2):
        for inputs, targets in loader:
            loss = nn.functional.mse_loss(regressor(inputs.to(device)), targets.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.4f}")


if __name__ == "__main__":
    main()
