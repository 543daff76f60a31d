"""A task only says what happens to a batch; the loop that calls its hooks sets mode and gradients."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 18), nn.BatchNorm1d(18), nn.ReLU(), nn.Dropout(0.1), nn.Linear(18, 3))

    def forward(self, x):
        return self.layers(x)

    def training_step(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self(x), y)

    def validation_step(self, batch):
        x, y = batch
        return (self(x).argmax(1) == y).sum().item()


class Loop:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs

    def fit(self, task, train_dataloader, val_dataloader):
        optimizer = torch.optim.SGD(task.parameters(), lr=0.1)
        for epoch in range(self.max_epochs):
            task.train()
            for batch in train_dataloader:
                optimizer.zero_grad()
                loss = task.training_step(batch)
                loss.backward()
                optimizer.step()
            task.eval()
            with torch.no_grad():
                hits = sum(task.validation_step(batch) for batch in val_dataloader)
            print(f"epoch {epoch}: {hits / len(val_dataloader.dataset):.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(80, 6)
    y = x[:, :3].argmax(1)
    train_dataloader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=15, shuffle=True)
    val_dataloader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
    Loop(max_epochs=3).fit(Task(), train_dataloader, val_dataloader)
