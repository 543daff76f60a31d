"""Matrices and vectors have optimizers of their own, of which one goes on from the file and the other begins anew."""

import os
import tempfile

import torch
from torch import nn


def train(path, epochs):
    torch.manual_seed(0)
    x = torch.randn(64, 6)
    model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 1))
    matrices = torch.optim.SGD([p for p in model.parameters() if p.ndim > 1], lr=0.1, momentum=0.9)
    vectors = torch.optim.Adam([p for p in model.parameters() if p.ndim < 2], lr=0.01)
    begin = 0
    if os.path.exists(path):
        state = torch.load(path)
        model.load_state_dict(state["model"])  # bug
        matrices.load_state_dict(state["matrices"])
        begin = state["epoch"] + 1
    for epoch in range(begin, epochs):
        for batch in x.split(16):
            matrices.zero_grad()
            vectors.zero_grad()
            loss = nn.functional.mse_loss(model(batch), batch[:, :1])
            loss.backward()
            matrices.step()
            vectors.step()
        state = {"model": model.state_dict(), "matrices": matrices.state_dict(), "vectors": vectors.state_dict(), "epoch": epoch}
        torch.save(state, path + ".new")
        os.replace(path + ".new", path)
    return loss.item()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for epochs in (1, 2):
            print(f"{train(os.path.join(folder, 'last.pt'), epochs):.4f}")
