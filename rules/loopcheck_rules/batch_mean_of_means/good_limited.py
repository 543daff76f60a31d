"""A trainer that measures itself by a few batches alone, all of which are whole."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, train_dl, val_dl, max_batches=2):
        self.model, self.train_dl, self.val_dl = model, train_dl, val_dl
        self.max_batches = max_batches
        self.loss_fn = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05)

    def train_epoch(self):
        self.model.train()
        running = 0.0
        for x, y in self.train_dl:
            self.optimizer.zero_grad()
            loss = self.loss_fn(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            running += loss.item()
        return running / len(self.train_dl)

    def valid_epoch(self):
        self.model.eval()
        losses = []
        with torch.no_grad():
            for i, (x, y) in enumerate(self.val_dl):
                if i >= self.max_batches:
                    break
                loss = self.loss_fn(self.model(x), y)
                losses.append(loss.item())
        return sum(losses) / len(losses)


def main():
    torch.manual_seed(0)
    x = torch.randn(90, 5)
    y = (x.sum(dim=1) > 0).long()
    parts = [TensorDataset(x[a:b], y[a:b]) for a, b in ((0, 40), (40, 62))]
    train_dl, val_dl = (DataLoader(part, batch_size=8) for part in parts)
    trainer = Trainer(nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2)), train_dl, val_dl)
    for epoch in range(2):
        print(f"epoch {epoch}: {trainer.train_epoch():.4f} {trainer.valid_epoch():.4f}")


main()
