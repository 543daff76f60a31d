"""Two builders of the training step, one with a scaler and one without: the loop gets either."""

import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_plain_step(model, optimizer, criterion, device):
    def step(x, y):
        loss = criterion(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        return loss.item()

    return step


def make_half_step(model, optimizer, criterion, device):
    scaler = torch.amp.GradScaler(device)

    def step(x, y):
        with torch.autocast(device, dtype=torch.float16):
            loss = criterion(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        scaler.step(optimizer)
        scaler.update()
        return loss.item()

    return step


def main(half):
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(64, 9)
    y = (x[:, :3].sum(1) > 0).long()
    loader = DataLoader(TensorDataset(x, y), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(9, 27), nn.ReLU(), nn.Linear(27, 2)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    make_step = make_half_step if half else make_plain_step
    train_step = make_step(model, optimizer, nn.CrossEntropyLoss(), device)
    for epoch in range(2):
        losses = [train_step(inputs, labels) for inputs, labels in loader]
        print(f"epoch {epoch}: {sum(losses) / len(losses):.4f}")


if __name__ == "__main__":
    main("--half" in sys.argv)
