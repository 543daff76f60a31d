"""An optimizer that steps by stages, up and down again, and clears the gradients after each: its step says which one it is."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SharpnessAware(torch.optim.SGD):
    @torch.no_grad()
    def step(self, stage=1):
        params = [p for group in self.param_groups for p in group["params"]]
        if stage == 1:
            for p in params:
                self.state[p]["climbed"] = 0.05 * p.grad
                p.add_(self.state[p]["climbed"])
        else:
            for p in params:
                p.sub_(self.state[p]["climbed"])
            super().step()
        self.zero_grad()


class Trainer:
    def __init__(self, model, optimizer, loader):
        self.model, self.optimizer, self.loader = model, optimizer, loader

    def train_epoch(self):
        model, optimizer = self.model, self.optimizer
        for x, y in self.loader:
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step(stage=1)
            F.cross_entropy(model(x), y).backward()
            optimizer.step(stage=2)
        return loss.item()


def main(kind="sam"):
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    loader = DataLoader(TensorDataset(x, (x[:, 0] > 0).long()), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 2))
    optimizer = {"sam": SharpnessAware, "sgd": torch.optim.SGD}[kind](model.parameters(), lr=0.1)
    trainer = Trainer(model, optimizer, loader)
    for epoch in range(2):
        print(f"epoch {epoch}: {trainer.train_epoch():.4f}")


if __name__ == "__main__":
    main()
