"""Features are cut from the encoder, need a gradient of their own, and the encoder is given that gradient afterwards."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train_step(encoder, optimizer, first, second):
    optimizer.zero_grad()
    a, b = encoder(first), encoder(second)
    cached_a = a.detach().requires_grad_()
    cached_b = b.detach()
    cached_b.requires_grad = True
    logits = nn.functional.normalize(cached_a, dim=1) @ nn.functional.normalize(cached_b, dim=1).T / 0.1
    loss = nn.functional.cross_entropy(logits, torch.arange(len(first)))
    loss.backward()
    torch.autograd.backward([a, b], [cached_a.grad, cached_b.grad])
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    base = torch.randn(48, 6)
    views = TensorDataset(base + 0.1 * torch.randn_like(base), base + 0.1 * torch.randn_like(base))
    loader = DataLoader(views, batch_size=16, shuffle=True)
    encoder = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-2)
    for epoch in range(3):
        for first, second in loader:
            loss = train_step(encoder, optimizer, first, second)
        print(epoch, loss)


if __name__ == "__main__":
    main()
