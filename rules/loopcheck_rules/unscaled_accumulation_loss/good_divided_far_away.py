"""The loss is divided where it is computed, two calls away from the backward."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM_STEPS = 4


def training_loss(model, batch, device):
    x, y = batch
    loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
    loss /= ACCUM_STEPS
    return loss


def backprop(loss):
    loss.backward()


def train_one_epoch(model, loader, optimizer, device):
    model.train()
    seen = 0.0
    for step, batch in enumerate(loader):
        loss = training_loss(model, batch, device)
        backprop(loss)
        seen += loss.item()
        if (step + 1) % ACCUM_STEPS == 0 or step + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
    return seen


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(64, 10)
    y = x[:, :2] * 3 - 1
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    model = nn.Sequential(nn.Linear(10, 16), nn.GELU(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for epoch in range(3):
        print(f"epoch {epoch}: {train_one_epoch(model, loader, optimizer, device):.4f}")


if __name__ == "__main__":
    main()
