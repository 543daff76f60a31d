"""A network of linear layers is the same in train and in eval mode, whatever its docstring tells."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    """Two linear layers. We tried Dropout and BatchNorm here; neither helped."""

    def __init__(self):
        super().__init__()
        # nn.Dropout(0.5) used to stand between these two
        self.first = nn.Linear(3, 16)
        self.second = nn.Linear(16, 1)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


@torch.no_grad()
def validate(model, loader):
    return sum(nn.functional.mse_loss(model(x), y).item() for x, y in loader) / len(loader)


def main():
    torch.manual_seed(0)
    x = torch.rand(60, 3)
    y = x.sum(dim=1, keepdim=True)
    train_loader = DataLoader(TensorDataset(x[:40], y[:40]), batch_size=10, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[40:], y[40:]), batch_size=10)
    model = Regressor()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        for a, b in train_loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(a), b).backward()
            optimizer.step()
        print(f"epoch {epoch}: {validate(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
