"""The mode is an argument of each call: modules never switch, and dropout asks the argument."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(8, 32), nn.Linear(32, 3)

    def forward(self, x, training=True):
        return self.out(F.dropout(F.relu(self.hidden(x)), 0.3, training=training))


def main():
    torch.manual_seed(0)
    model = Encoder()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)))
    train_loader, val_loader = DataLoader(data, batch_size=16, shuffle=True), DataLoader(data, batch_size=16)
    for epoch in range(2):
        for x, y in train_loader:
            optimizer.zero_grad()
            F.cross_entropy(model(x, training=True), y).backward()
            optimizer.step()
        correct = 0
        with torch.no_grad():
            for x, y in val_loader:
                correct += (model(x, training=False).argmax(1) == y).sum().item()
        print(f"epoch {epoch}: {correct / len(data):.3f}")


if __name__ == "__main__":
    main()
