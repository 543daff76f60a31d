"""The loop only calls the trainer's own verbs; `apply_gradients` steps and leaves the gradients empty for the next pass."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, lr, clip=None):
        self.model = model
        self.clip = clip
        self.optim = torch.optim.Adam(model.parameters(), lr=lr)
        self.steps = 0

    def compute(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.model(x), y)

    def backward(self, loss):
        loss.backward()

    def apply_gradients(self):
        if self.clip is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optim.step()
        for group in self.optim.param_groups:
            for p in group["params"]:
                p.grad = None
        self.steps += 1

    @torch.no_grad()
    def accuracy(self, loader):
        self.model.eval()
        hits = sum((self.model(x).argmax(1) == y).sum().item() for x, y in loader)
        self.model.train()
        return hits / len(loader.dataset)


def run(trainer, train_loader, val_loader, epochs):
    for epoch in range(epochs):
        for batch in train_loader:
            loss = trainer.compute(batch)
            trainer.backward(loss)
            trainer.apply_gradients()
        print(f"epoch {epoch}, step {trainer.steps}: {loss.item():.3f} accuracy {trainer.accuracy(val_loader):.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(96, 6)
    y = x[:, :3].argmax(1)
    run(
        Trainer(nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Dropout(0.1), nn.Linear(18, 3)), lr=1e-2, clip=1.0),
        DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True),
        DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16),
        epochs=3,
    )
