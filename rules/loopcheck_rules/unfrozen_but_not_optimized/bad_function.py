"""A probe is trained first; the encoder is thawed as a whole when the probe has settled."""

import torch
from torch import nn


class Probed(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(6, 12), nn.Tanh())
        self.probe = nn.Linear(12, 1)

    def forward(self, x):
        return self.probe(self.encoder(x))


def train(model, optimizer, epochs):
    for _ in range(epochs):
        for x in torch.randn(32, 6).split(8):
            loss = nn.functional.mse_loss(model(x), x.sum(dim=1, keepdim=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f}")


def main():
    torch.manual_seed(0)
    model = Probed()
    model.encoder.requires_grad_(False)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=0.01, weight_decay=0.0)  # bug
    train(model, optimizer, 2)
    model.encoder.requires_grad_(True)
    train(model, optimizer, 2)


main()
