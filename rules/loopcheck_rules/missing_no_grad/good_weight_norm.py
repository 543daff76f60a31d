"""The report of an evaluation adds how large the last layer's weights are: no forward, and nothing that piles up."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1))
        self.last_layer = nn.Linear(16, 2)

    def forward(self, x):
        return self.last_layer(self.features(x))


def evaluate(model, val_loader):
    model.eval()
    total = penalty = 0.0
    for x, y in val_loader:
        with torch.no_grad():
            total += F.cross_entropy(model(x), y).item()
        penalty = model.last_layer.weight.norm(p=1).item()
    model.train()
    return total / len(val_loader), penalty


def main():
    torch.manual_seed(0)
    x = torch.randn(128, 8)
    y = (x[:, 0] > 0).long()
    train_loader = DataLoader(TensorDataset(x[:96], y[:96]), batch_size=32, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[96:], y[96:]), batch_size=32, drop_last=True)
    model = Classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for inputs, labels in train_loader:
            loss = F.cross_entropy(model(inputs), labels) + 1e-4 * model.last_layer.weight.norm(p=1)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        loss, penalty = evaluate(model, val_loader)
        print(f"epoch {epoch}: {loss:.4f}, weights {penalty:.2f}")


if __name__ == "__main__":
    main()
