"""A meter that was written for numbers is given tensors; a part of the loss has a sum of its own."""

import torch
from torch import nn
from torch.nn import functional as F


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n  # bug
        self.count += n

    @property
    def mean(self):
        return self.sum / self.count


class Autoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(6, 3)
        self.decoder = nn.Linear(3, 6)

    def forward(self, x):
        code = self.encoder(x)
        return code, self.decoder(code)


def train(model, optimizer, data):
    meter = AverageMeter()
    total_penalty = 0
    for batch in data.split(10):
        code, decoded = model(batch)
        penalty_loss = code.abs().mean()
        loss = F.mse_loss(decoded, batch) + 0.1 * penalty_loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.update(loss, len(batch))
        total_penalty = total_penalty + penalty_loss  # bug
    return meter.mean, total_penalty


def main():
    torch.manual_seed(0)
    model = Autoencoder()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    data = torch.randn(60, 6)
    for epoch in range(2):
        mean, penalty = train(model, optimizer, data)
        print(f"epoch {epoch}: {mean.item():.4f}, penalty {penalty.item():.4f}")


if __name__ == "__main__":
    main()
