"""A trainer wraps its network where it may, and a method of its own makes the checkpoint."""

import os
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, network, parallel, start):
        self.network = network
        self.network.load_state_dict(torch.load(start)["network"])
        if parallel:
            self.network = nn.DataParallel(self.network)
        self.network = self.network.to("cpu")
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-2)

    def save(self, path, epoch):
        checkpoint = {
            "epoch": epoch,
            "network": self.network.state_dict(),  # bug
            "optimizer": self.optimizer.state_dict(),
        }
        torch.save(checkpoint, path)  # bug: non-atomic-checkpoint

    def fit(self, loader, path):
        for epoch in range(2):
            for x, y in loader:
                self.optimizer.zero_grad()
                nn.functional.mse_loss(self.network(x), y).backward()
                self.optimizer.step()
            self.save(path, epoch)


torch.manual_seed(0)
inputs = torch.randn(64, 8)
with tempfile.TemporaryDirectory() as folder:
    start = os.path.join(folder, "start.pt")
    torch.save({"network": nn.Linear(8, 1).state_dict()}, start)
    trainer = Trainer(nn.Linear(8, 1), parallel=True, start=start)
    trainer.fit(DataLoader(TensorDataset(inputs, inputs[:, :1]), batch_size=16), os.path.join(folder, "last.pt"))
