"""The trainer goes on to the next batch where the window is not over, by a test that is false for the very first."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, loader, window):
        self.model = model
        self.loader = loader
        self.window = window
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def update(self):
        self.optimizer.step()  # bug
        self.optimizer.zero_grad()

    def run_epoch(self):
        for step, (x, y) in enumerate(self.loader):
            loss = nn.functional.mse_loss(self.model(x), y) / self.window
            loss.backward()
            if step % self.window != 0:
                continue
            self.update()
        self.optimizer.zero_grad()
        return loss.item() * self.window


if __name__ == "__main__":
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.randn(68, 8), torch.randn(68, 1)), batch_size=4, shuffle=True)
    trainer = Trainer(nn.Linear(8, 1), loader, window=4)
    for epoch in range(2):
        print(f"epoch {epoch}: {trainer.run_epoch():.4f}")
