"""A contrastive batch that is too big: its loss is computed once, on cached embeddings, and each slice brings home its part.

The slices' backwards add up to the gradient of that one loss, so there is nothing to divide.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def contrastive_loss(queries, keys, temperature=0.1):
    queries, keys = nn.functional.normalize(queries, dim=1), nn.functional.normalize(keys, dim=1)
    return nn.functional.cross_entropy(queries @ keys.T / temperature, torch.arange(len(queries), device=queries.device))


def cached_step(encoder, optimizer, first, second, chunk_size):
    slices = list(zip(first.split(chunk_size), second.split(chunk_size)))
    with torch.no_grad():
        queries = torch.cat([encoder(a) for a, _ in slices])
        keys = torch.cat([encoder(b) for _, b in slices])

    queries.requires_grad_()
    keys.requires_grad_()
    loss = contrastive_loss(queries, keys)
    query_grads, key_grads = torch.autograd.grad(loss, [queries, keys])

    optimizer.zero_grad()
    for (a, b), dq, dk in zip(slices, query_grads.split(chunk_size), key_grads.split(chunk_size)):
        surrogate = (encoder(a) * dq).sum() + (encoder(b) * dk).sum()
        surrogate.backward()
    optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    base = torch.randn(128, 8)
    views = TensorDataset(base + 0.1 * torch.randn_like(base), base + 0.1 * torch.randn_like(base))
    loader = DataLoader(views, batch_size=32, shuffle=True, drop_last=True)
    encoder = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 6)).to(device)
    optimizer = torch.optim.Adam(encoder.parameters(), lr=3e-3)
    for epoch in range(3):
        for first, second in loader:
            loss = cached_step(encoder, optimizer, first.to(device), second.to(device), chunk_size=8)
        print(f"epoch {epoch}: {loss:.4f}")


if __name__ == "__main__":
    main()
