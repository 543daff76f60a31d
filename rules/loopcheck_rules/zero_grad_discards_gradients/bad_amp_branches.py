"""A step helper with and without a scaler; one of its branches clears too early."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USE_AMP = True


def optimize(loss, optimizer, scaler=None):
    if scaler is None:
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    else:
        scaler.scale(loss).backward()
        optimizer.zero_grad(set_to_none=False)  # bug: zero-grad-discards-gradients, kept-gradients
        scaler.step(optimizer)
        scaler.update()


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    siamese = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 6)).to(device)
    optimizer = torch.optim.SGD(siamese.parameters(), lr=0.05)
    scaler = torch.amp.GradScaler(device.type) if USE_AMP else None
    pairs = TensorDataset(torch.randn(64, 12), torch.randn(64, 12), torch.randint(0, 2, (64,)) * 2.0 - 1)
    loader = DataLoader(pairs, batch_size=16, shuffle=True)

    for epoch in range(2):
        for left, right, same in loader:
            with torch.autocast(device.type, dtype=torch.float16, enabled=USE_AMP):
                a, b = siamese(left.to(device)), siamese(right.to(device))
                loss = nn.functional.cosine_embedding_loss(a.float(), b.float(), same.to(device))
            optimize(loss, optimizer, scaler)
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
