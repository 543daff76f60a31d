"""Layers that are the same in both modes: there is nothing to put back."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Circles(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer_1 = nn.Linear(in_features=2, out_features=16)
        self.layer_2 = nn.Linear(in_features=16, out_features=1)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.layer_2(self.relu(self.layer_1(x)))


def circles(count):
    angle, inner = torch.rand(count) * 6.28, torch.arange(count) % 2
    radius = 1 - 0.4 * inner
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1), inner.float()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Circles().to(device)
    loss_fn = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    train_loader = DataLoader(TensorDataset(*circles(64)), batch_size=16, shuffle=True)
    x_test, y_test = circles(32)

    for epoch in range(4):
        for x, y in train_loader:
            loss = loss_fn(model(x.to(device)).squeeze(1), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.inference_mode():
            test_loss = loss_fn(model(x_test.to(device)).squeeze(1), y_test.to(device))
        print(f"epoch {epoch}: {loss.item():.3f} {test_loss.item():.3f}")


if __name__ == "__main__":
    main()
