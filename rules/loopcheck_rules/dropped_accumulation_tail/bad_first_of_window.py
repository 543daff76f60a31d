"""A window is stepped on its first micro-batch: on every fourth one from 0, and never after the last."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW = 4


class Trainer:
    def __init__(self, loader):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.loader = loader
        self.model = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 2)).to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def loss_of(self, batch):
        x, y = (each.to(self.device) for each in batch)
        return nn.functional.cross_entropy(self.model(x), y) / WINDOW

    def run_epoch(self):
        for step, batch in enumerate(self.loader):
            loss = self.loss_of(batch)
            loss.backward()
            if step % WINDOW:
                continue
            self.optimizer.step()  # bug: dropped-accumulation-tail, accumulation-off-by-one
            self.optimizer.zero_grad()
        return loss.item() * WINDOW

    def fit(self, epochs):
        self.model.train()
        for epoch in range(epochs):
            print(f"epoch {epoch}: {self.run_epoch():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(80, 6), torch.randint(0, 2, (80,)))
    Trainer(DataLoader(data, batch_size=8, shuffle=True)).fit(epochs=3)
