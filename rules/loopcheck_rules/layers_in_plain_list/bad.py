"""A network whose hidden layers are in a plain list: only the first and the last layer learn."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Mlp(nn.Module):
    def __init__(self, inputs, hidden, outputs, depth):
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.layers = [nn.Linear(hidden, hidden) for _ in range(depth)]  # bug
        self.last = nn.Linear(hidden, outputs)

    def forward(self, x):
        x = torch.relu(self.first(x))
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.last(x)


def main():
    torch.manual_seed(0)
    inputs = torch.randn(128, 6)
    targets = inputs.abs().sum(dim=1, keepdim=True)
    loader = DataLoader(TensorDataset(inputs, targets), batch_size=16, shuffle=True)
    model = Mlp(6, 16, 1, depth=3)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

    for epoch in range(2):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.4f}, {sum(p.numel() for p in model.parameters())} parameters")


if __name__ == "__main__":
    main()
