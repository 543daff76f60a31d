"""A network finds out by a batch of zeros how wide its features are, while it is made; its weights come later, and it is evaluated."""

import io

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(1, 4, 3), nn.BatchNorm1d(4), nn.ReLU(), nn.Flatten())
        with torch.no_grad():
            width = self.features(torch.zeros(1, 1, 12)).shape[1]
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        return self.head(self.features(x))


def label(checkpoint, rows):
    net = Net(3)
    net.load_state_dict(torch.load(checkpoint))
    net.eval()
    with torch.no_grad():
        return net(rows).argmax(dim=1).tolist()


def main():
    torch.manual_seed(0)
    checkpoint = io.BytesIO()
    torch.save(Net(3).state_dict(), checkpoint)
    checkpoint.seek(0)
    print(label(checkpoint, torch.randn(8, 1, 12)))


if __name__ == "__main__":
    main()
