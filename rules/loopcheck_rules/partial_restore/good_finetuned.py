"""Training starts from the weights of another run: nobody asks how far that had come, and its optimizer is not wanted."""

import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(32, 4)


def train(model, path, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(epochs):
        for batch in x.split(8):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch)
            loss.backward()
            optimizer.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, path)  # bug: non-atomic-checkpoint
    print(f"loss {loss.item():.4f}")


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "pretrained.pt")
    train(nn.Linear(4, 4), path, epochs=2)
    model = nn.Linear(4, 4)
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    train(model, Path(folder, "tuned.pt"), epochs=1)
