"""The model itself is cleared, as the last thing of every pass."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 16)
        self.fc2 = nn.Linear(16, 3)

    def forward(self, x):
        return self.fc2(self.fc1(x).relu())


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = Net().to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    data = DataLoader(TensorDataset(torch.randn(60, 8), torch.randint(0, 3, (60,))), batch_size=20, shuffle=True)
    for epoch in range(3):
        for x, y in data:
            loss = nn.functional.cross_entropy(net(x.to(device)), y.to(device))
            loss.backward()
            optimizer.step()
            print(f"{epoch} {loss.item():.4f}")
            net.zero_grad()


if __name__ == "__main__":
    main()
