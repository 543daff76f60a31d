"""The best model is saved by a method that knows of no ranks, called by one that knows them and does not ask."""

import os
import tempfile

import torch
from torch import distributed as dist
from torch import nn


def init():
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    return dist.is_initialized()


class Trainer:
    def __init__(self, model, folder, distributed):
        self.rank = dist.get_rank() if distributed else 0
        self.folder = folder
        self.model = model
        if distributed:
            self.model = nn.parallel.DistributedDataParallel(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05)
        self.best = float("inf")

    def save(self, name):
        path = os.path.join(self.folder, name)
        model = self.model.module if hasattr(self.model, "module") else self.model
        torch.save({"state_dict": model.state_dict(), "best": self.best}, path)  # bug

    def train(self, batches, epochs):
        for epoch in range(epochs):
            total = 0.0
            for x, y in batches:
                self.optimizer.zero_grad()
                loss = nn.functional.mse_loss(self.model(x), y)
                loss.backward()
                self.optimizer.step()
                total += loss.item()
            if total < self.best:
                self.best = total
                self.save(f"best_{epoch}.pt")
            if self.rank == 0:
                print(f"epoch {epoch}: {total:.4f}")


def main():
    torch.manual_seed(0)
    distributed = init()
    folder = [tempfile.mkdtemp()]
    if distributed:
        dist.broadcast_object_list(folder)
    x = torch.randn(32, 4)
    batches = list(zip(x.split(8), x.mean(dim=1, keepdim=True).split(8), strict=True))
    Trainer(nn.Linear(4, 1), folder[0], distributed).train(batches, epochs=2)
    if distributed:
        dist.barrier()
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
