"""One step of nothing before the first batch, so that the schedule's first is not said to come too early."""

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    data = DataLoader(TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    scheduler = LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 8))
    optimizer.zero_grad()
    optimizer.step()

    model.train()
    for epoch in range(3):
        for x, y in data:
            scheduler.step()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        print(f"{epoch} {loss.item():.4f}")


if __name__ == "__main__":
    main()
