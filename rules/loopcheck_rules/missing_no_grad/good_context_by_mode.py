"""Which gradient context is entered is chosen once per pass, into a variable."""

import contextlib

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Engine:
    def __init__(self, model, device, lr=0.1):
        self.model = model.to(device)
        self.device = device
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9)

    def run(self, loader, training):
        self.model.train(training)
        grad_context = contextlib.nullcontext() if training else torch.no_grad()
        loss_sum = hits = 0
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            with grad_context:
                logits = self.model(x)
                loss = self.criterion(logits, y)
            if training:
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            loss_sum += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
        count = len(loader.dataset)
        return {"loss": loss_sum / count, "accuracy": hits / count}

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            trained = self.run(train_loader, training=True)
            validated = self.run(val_loader, training=False)
            print(f"epoch {epoch}: {trained['loss']:.3f} {validated['loss']:.3f} {validated['accuracy']:.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    where = "cuda" if torch.cuda.is_available() else "cpu"
    x = torch.randn(96, 7)
    y = (x[:, 0] > x[:, 1]).long()
    network = nn.Sequential(nn.Linear(7, 14), nn.ReLU(), nn.Dropout(0.1), nn.Linear(14, 2))
    Engine(network, where).fit(
        DataLoader(TensorDataset(x[:64], y[:64]), batch_size=16, shuffle=True),
        DataLoader(TensorDataset(x[64:], y[64:]), batch_size=16),
        epochs=3,
    )
