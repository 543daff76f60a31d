"""What is loaded is handed back by a function that knows of the model and the optimizer, and not of the scaler."""

import tempfile
from pathlib import Path

import torch
from torch import nn


def load_checkpoint(path, model, optimizer):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model"])  # bug
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"] + 1


def run(path, epochs, resume):
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
    start = load_checkpoint(path, model, optimizer) if resume else 0
    x = torch.randn(32, 4)
    for epoch in range(start, start + epochs):
        for batch in x.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch.prod(dim=1, keepdim=True))
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
    print(f"epoch {epoch}: {loss.item():.4f}")
    states = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scaler": scaler.state_dict()}
    torch.save({**states, "epoch": epoch}, path)


def main():
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "last.pt")
        run(path, epochs=1, resume=False)
        run(path, epochs=1, resume=True)


if __name__ == "__main__":
    main()
