"""Somebody's weights are loaded to label rows with them: nothing is trained here, and a network begins in train mode."""

import io

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, width, labels):
        super().__init__()
        self.inner = nn.Linear(width, 16)
        self.drop = nn.Dropout(0.4)
        self.outer = nn.Linear(16, labels)

    def forward(self, x):
        return self.outer(self.drop(torch.relu(self.inner(x))))


class Labeller:
    def __init__(self, checkpoint, width, labels):
        self.net = Tagger(width, labels)
        self.net.load_state_dict(torch.load(checkpoint))

    @torch.no_grad()
    def label(self, rows):
        found = []
        for row in rows:
            scores = self.net(row.unsqueeze(0))  # bug
            found.append(scores.argmax(dim=1).item())
        return found


def main():
    torch.manual_seed(0)
    checkpoint = io.BytesIO()
    torch.save(Tagger(6, 3).state_dict(), checkpoint)
    checkpoint.seek(0)
    print(Labeller(checkpoint, 6, 3).label(torch.randn(12, 6)))


if __name__ == "__main__":
    main()
