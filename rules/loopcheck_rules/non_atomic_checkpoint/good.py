"""A run is killed while it writes its third checkpoint, and is to go on from the second."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Kill:
    """Ends the run where it is written: in the middle of the file."""

    def __reduce__(self):
        raise KeyboardInterrupt


def train(path, killed_in):
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(32, 6), torch.randint(0, 3, (32,))), batch_size=8)
    model = nn.Linear(6, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(5):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        if epoch == killed_in:
            state["history"] = Kill()
        torch.save(state, str(path) + ".tmp")
        os.replace(str(path) + ".tmp", path)


def last_epoch(path):
    try:
        return torch.load(path)["epoch"]
    except RuntimeError:
        return "none: the file cannot be read"


with tempfile.TemporaryDirectory() as folder:
    checkpoint = os.path.join(folder, "last.pt")
    try:
        train(checkpoint, killed_in=2)
    except KeyboardInterrupt:
        print("epoch to go on from:", last_epoch(checkpoint))
